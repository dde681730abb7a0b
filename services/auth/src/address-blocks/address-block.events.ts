import type { OutboxEvent } from '@rookery/events'

/** The event that from now on these networks, and no others, have no access. */
export const networksBarred = (networks: string[]): OutboxEvent => ({
  key: 'networks',
  event: { $case: 'networksBarred', value: { networks } },
})
