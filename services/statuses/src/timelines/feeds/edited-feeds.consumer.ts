import { consumer } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { FeedWriter } from './feed.store.ts'

/**
 * Re-places edited statuses: their language, tags and mentions decide where they belong. Boosts are re-placed with the boosted status, because its
 * mentions count for them too.
 */
export const editedFeeds = ({ clock }: { clock: Clock }) =>
  consumer<StatusesTables, 'statusEdited'>({
    name: 'statuses.edited-feeds',
    topic: 'statuses.v1',
    kinds: ['statusEdited'],
    // Placement is computed from the current rows.
    isIdempotent: true,
    concerns: ({ value }) => !value.keepsPlace,
    async handle(tx, received) {
      const feeds = new FeedWriter(tx)
      await feeds.share()
      const now = new Date(clock.now())
      const posts = [...new Set(received.map(({ event }) => event.value.statusId))]
      const boosts = await feeds.boostsOf(posts)
      const vacancies = await feeds.recheck(
        [...posts, ...boosts],
        received.flatMap(({ event }) => event.value.previousTags),
        now,
      )
      await feeds.place({ posts, boosts }, now)
      await feeds.fill(vacancies, now)
    },
  })
