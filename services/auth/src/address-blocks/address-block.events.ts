import type { OutboxEvent } from '@rookery/events'

/** The event that these networks have no access from now on, and no others. */
export const networksBarred = (networks: string[]): OutboxEvent => ({
  key: 'networks',
  event: { $case: 'networksBarred', value: { networks } },
})
