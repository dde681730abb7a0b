import { type Database, type Tx, transact } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { LINK_REPLIES, STORED_WITHIN_MILLISECONDS } from '../../posts/remote-statuses/index.ts'
import { FeedWriter } from '../feeds/index.ts'
import { LateParentWriter, type Pair, readWaiting } from './late-parent.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock }

/** Replies read at once. */
const TOGETHER = 50

const GATHER_THREAD = 'gather-thread'

/** Has mutes and conversations follow statuses from one thread to another. */
const carry = async (tx: Tx<StatusesTables>, replies: readonly string[], move: { from: string; to: string }): Promise<void> => {
  const writer = new LateParentWriter(tx)
  const people = await writer.peopleOf(replies)
  await writer.carryMutes(people, move)
  await writer.carryConversations(people, move)
}

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
    await carry(tx, moved!.replies, { from: pair.replyId, to })
    await feeds.place({ posts: [pair.replyId], boosts: [] }, new Date(clock.now()))
    const runAt = new Date(clock.now() + STORED_WITHIN_MILLISECONDS)
    await addJob(tx, 'statuses', GATHER_THREAD, { replyId: pair.replyId }, { runAt })
  })

/** Brings what was being stored in the thread of a reply while that joined another into the other one too. */
export const gatherThreadJob = ({ database }: Pick<Deps, 'database'>): Job =>
  job<{ replyId: string }>({
    name: GATHER_THREAD,
    run: ({ replyId }) =>
      transact(database.db, async (tx) => {
        const writer = new LateParentWriter(tx)
        const moved = await writer.lock({ replyId, parentId: replyId })
        const gathered = moved && (await writer.gather(replyId, moved))
        if (gathered) await carry(tx, gathered.brought, { from: replyId, to: gathered.to })
      }),
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
