import { type Database, transact } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { LINK_REPLIES } from '../../posts/remote-statuses/index.ts'
import { FeedWriter } from '../feeds/index.ts'
import { LateParentWriter, type Pair, readWaiting } from './late-parent.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock }

/** Replies read at once. */
const TOGETHER = 50

/** Gives one reply its parent, and has what depends on threads follow: mutes, conversations and homes. It notifies no one, as on Mastodon. */
const linkReply = ({ database, clock }: Deps, pair: Pair): Promise<void> =>
  transact(database.db, async (tx) => {
    const feeds = new FeedWriter(tx)
    await feeds.share()
    const writer = new LateParentWriter(tx)
    if (!(await writer.end(pair.replyId))) return
    const moved = await writer.lock(pair)
    const to = moved && (await writer.link(pair, moved))
    if (to === undefined) return
    const move = { ...moved!, from: pair.replyId, to }
    const people = await writer.peopleOf(move)
    await writer.carryMutes(people, move)
    await writer.carryConversations(people, move)
    await feeds.place({ posts: [pair.replyId], boosts: [] }, new Date(clock.now()))
  })

/** Gives the replies that waited for a status to it, one after the other. An interrupted run goes on with those left. */
export const linkRepliesJob = (deps: Deps): Job =>
  job<{ uri: string }>({
    name: LINK_REPLIES,
    async run({ uri }, signal) {
      for (;;) {
        const waiting = await readWaiting(deps.database, { uri, limit: TOGETHER })
        if (waiting.length === 0) return
        for (const pair of waiting) {
          signal?.throwIfAborted()
          await linkReply(deps, pair)
        }
      }
    },
  })
