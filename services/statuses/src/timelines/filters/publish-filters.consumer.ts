import type { PublishLive } from '@rookery/ephemeral'
import { consumer } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import { liveFiltersChanged } from './filter.events.ts'

/** Publishes changes of filters to their owners' open streams (beyond-the-spec 1.7). */
export const publishFilters = ({ publishLive }: { publishLive: PublishLive }) =>
  consumer<StatusesTables, 'filtersChanged'>({
    name: 'statuses.announce-filters',
    topic: 'statuses.v1',
    kinds: ['filtersChanged'],
    handle: async () => {},
    publishAfter: (received) =>
      publishLive((connected) => {
        const present = new Set(connected)
        return received.flatMap(({ id, event: { value } }) =>
          present.has(value.accountId) ? [liveFiltersChanged(value.accountId, id)] : [],
        )
      }),
  })
