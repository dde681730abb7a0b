import { LIMITS } from '@rookery/contracts/limits'
import type { AnnouncementReactionRequest } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { namedEmoji } from '../../content/emojis/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { announcementReactionsChanged } from './announcement.events.ts'
import { AnnouncementWriter } from './announcement.store.ts'
import { ReactionWriter } from './reaction.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }

const unknownEmoji = () => invalid('Name is not a recognized emoji')

/** Locks an announcement, so that its reactions are counted one after the other. @throws Failure not_found if it is not visible */
const lockShown = async ({ clock }: Deps, tx: Tx<StatusesTables>, id: string) => {
  const isThere = isId(id) && (await new AnnouncementWriter(tx).lockShown(id, new Date(clock.now())))
  if (!isThere) throw notFound(`no announcement ${id} is shown`)
}

/**
 * Adds a reaction to an announcement; idempotent (spec, Announcements).
 * @throws Failure not_found if it is not visible; invalid for an unknown emoji, or over the limit of different ones (beyond-the-spec 1.2)
 */
export const addReaction = (deps: Deps) => {
  const emojiOf = namedEmoji(deps)
  const { maxReactions } = LIMITS.announcements
  return async (call: Call, { id, viewerId, name: typed }: AnnouncementReactionRequest): Promise<void> => {
    const { name, picture, isKnown } = await emojiOf(typed)
    await transact(deps.database.db, async (tx) => {
      await lockShown(deps, tx, id)
      if (!isKnown) throw unknownEmoji()
      const reaction = { announcementId: id, accountId: viewerId, name }
      const outcome = await new ReactionWriter(tx).add(reaction, { emoji: picture, max: maxReactions })
      // Upstream's words.
      if (outcome === 'full') throw invalid('Limit of different reactions reached')
      if (outcome === 'added') await deps.outbox.append(tx, [announcementReactionsChanged(id, name)], call.trace)
    })
  }
}

/**
 * Removes a reaction, even with an emoji that was deleted (spec, Announcements).
 * @throws Failure not_found if there is no such reaction; invalid if its name is also no known emoji
 */
export const removeReaction = (deps: Deps) => {
  const emojiOf = namedEmoji(deps)
  return async (call: Call, { id, viewerId, name: typed }: AnnouncementReactionRequest): Promise<void> => {
    const { name, isKnown } = await emojiOf(typed)
    await transact(deps.database.db, async (tx) => {
      await lockShown(deps, tx, id)
      const [gone] = await new ReactionWriter(tx).remove(viewerId, [{ announcementId: id, name }])
      if (!gone) throw isKnown ? notFound(`${viewerId} did not react so to announcement ${id}`) : unknownEmoji()
      await deps.outbox.append(tx, [announcementReactionsChanged(id, name)], call.trace)
    })
  }
}

/** Removes a batch of an account's reactions; returns how many. */
export const removeReactionsOf = async ({ outbox }: Pick<Deps, 'outbox'>, tx: Tx<StatusesTables>, accountId: string): Promise<number> => {
  const writer = new ReactionWriter(tx)
  const some = await writer.lockSome(accountId)
  if (some.length === 0) return 0
  const gone = await writer.remove(accountId, some)
  await outbox.append(
    tx,
    gone.map(({ announcementId, name }) => announcementReactionsChanged(announcementId, name)),
  )
  return gone.length
}
