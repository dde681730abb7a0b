import type { OutboxEvent } from '@rookery/events'

/** Staff or an operator reviewed a trend. */
export const trendReviewed = ({ isApproved, staffId, target }: { isApproved: boolean; staffId: string; target: string }): OutboxEvent => ({
  key: staffId || target,
  event: {
    $case: 'staffActed',
    value: { staffId, action: isApproved ? 'approve_trend' : 'reject_trend', accountId: '', reportId: '', text: '', target },
  },
})

/** Staff changed a tag. */
export const tagChanged = ({ staffId, target, text }: { staffId: string; target: string; text: string }): OutboxEvent => ({
  key: staffId,
  event: { $case: 'staffActed', value: { staffId, action: 'change_tag', accountId: '', reportId: '', text, target } },
})
