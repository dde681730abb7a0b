import type { OutboxEvent } from '@rookery/events'

/** The event with the complete list of networks without access. */
export const networksBarred = (networks: string[]): OutboxEvent => ({
  key: 'networks',
  event: { $case: 'networksBarred', value: { networks } },
})
