import { LiveMessage } from '@rookery/contracts/events'
import { afterCommit } from '@rookery/database'
import type { LiveChannel } from '@rookery/ephemeral'
import { consumer } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { FeedWriter } from './feed.store.ts'

/** Keeps homes in step with the graph: following merges, unfollowing, blocking and muting clear (beyond-the-spec 1.12, 1.15). */
export const followFeeds = ({ live, clock }: { live: LiveChannel; clock: Clock }) =>
  consumer<StatusesTables, 'accountFollowed' | 'accountUnfollowed' | 'accountBlocked' | 'accountMuted'>({
    name: 'statuses.follow-feeds',
    topic: 'statuses.v1',
    kinds: ['accountFollowed', 'accountUnfollowed', 'accountBlocked', 'accountMuted'],
    async handle(tx, received) {
      const feeds = new FeedWriter(tx)
      await feeds.claim()
      for (const { fact } of received) {
        const { accountId, targetId } = fact.value
        if (fact.$case === 'accountFollowed') {
          await feeds.merge(accountId, targetId, new Date(clock.now()))
          continue
        }
        const isSilencing = fact.$case !== 'accountUnfollowed'
        const cleared = await feeds.clear(accountId, targetId, { isSilenced: isSilencing })
        if (!isSilencing) continue
        afterCommit(tx, () => {
          for (const statusId of cleared) live.publish(LiveMessage.encode(removedFrom(accountId, statusId)).finish())
        })
      }
    },
  })

/** A status that left one home; it is still there for others. */
const removedFrom = (accountId: string, statusId: string): LiveMessage => ({
  event: {
    $case: 'deletion',
    value: { statusId, recipientIds: [accountId], isListed: false, isLocal: true, hasMedia: false, tags: [] },
  },
})
