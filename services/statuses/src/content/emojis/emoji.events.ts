import type { OutboxEvent } from '@rookery/events'

/** Staff or an operator changed an emoji. */
export const emojiActed = (action: string, staffId: string, shortcode: string, domain = ''): OutboxEvent => ({
  key: staffId || shortcode,
  event: {
    $case: 'staffActed',
    value: { staffId, action, accountId: '', reportId: '', text: '', target: domain ? `:${shortcode}: ${domain}` : `:${shortcode}:` },
  },
})
