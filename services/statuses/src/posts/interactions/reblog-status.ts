import type { OneAtATime } from '@rookery/batching'
import type { StatusPage, Visibility } from '@rookery/contracts/statuses'
import { type Database, isUniqueViolation, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, notAllowed, orNotFound } from '@rookery/failures'
import { type Ids, timeOfId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import { addressRecipients, isDirect, notificationWithdrawn } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { defaultVisibility, deletionEvent, inAttempts, isOvertaken, StatusWriter, unless } from '../statuses/index.ts'
import { boostPublished } from './reblog.events.ts'
import { boostVisibility, mayBoost } from './reblog.rules.ts'
import { ReblogWriter } from './reblog.store.ts'
import { markedTarget, type Target, visibleTarget } from './visible-target.ts'

type Deps = {
  database: Database<StatusesTables>
  views: Views
  outbox: Outbox
  clock: Clock
  ids: Ids
  inPostingOrder: OneAtATime<string>
  baseUrl: string
}
type Boost = { viewerId: string; target: Target; visibility: Visibility; isOrdered: boolean }

const MAX_ATTEMPTS = 12
/** Attempts after which a boost keeps its id, although the booster has published a higher one: a clock was set back. */
const MAX_ORDERED = 8

/**
 * Returns the existing boost, or adds one.
 * @throws Failure not_found, forbidden; a unique violation if the id is taken; with `isOrdered` an error if the booster has published a higher id
 */
const addBoost = ({ database, outbox, ids }: Deps, boost: Boost): Promise<string> =>
  transact(database.db, async (tx) => {
    const { viewerId, target } = boost
    const writer = new ReblogWriter(tx)
    const original = orNotFound(await writer.original(target.id))
    if (!mayBoost(original, viewerId)) throw notAllowed(`status ${target.id} may not be boosted by ${viewerId}`)
    const existing = await writer.boostOf(target.id, viewerId)
    if (existing) return existing
    const defaults = orNotFound(await writer.defaults(viewerId))
    if (defaults.movedToId) throw notAllowed(`${viewerId} has moved`)
    const preference = defaultVisibility(defaults)
    const audience = boostVisibility(boost.visibility, original.visibility, preference)
    const id = ids.next()
    const now = new Date(timeOfId(id))
    await writer.add({ id, authorId: viewerId, originalId: target.id, visibility: audience, now, isOrdered: boost.isOrdered })
    const address = { recipientId: target.authorId, actorId: viewerId, reason: 'reblog', statusId: target.id }
    await outbox.append(tx, [boostPublished(id, boost, audience), ...(await addressRecipients(tx, [address], now))])
    return id
  })

/** Two processes made the same id, or a higher one was published meanwhile. */
const isIdTaken = (error: unknown) => isUniqueViolation(error, 'status_head_pkey') || isOvertaken(error)

/**
 * Boosts a status: returns the boost, which is a status of its own, or the existing one (beyond-the-spec 1.10).
 * @throws Failure not_found; forbidden for a status that may not be boosted; invalid for a visibility boosts cannot have
 */
export const reblogStatus =
  (deps: Deps) =>
  async ({ viewerId, statusId, visibility }: { viewerId: string; statusId: string; visibility: Visibility }): Promise<StatusPage> => {
    if (isDirect(visibility)) throw invalid('Visibility is not included in the list')
    const target = await visibleTarget(deps, { statusId, viewerId }, { refuseBlocked: true })
    const boostId = await inAttempts(MAX_ATTEMPTS, (before) => {
      const boost = { viewerId, target, visibility, isOrdered: before < MAX_ORDERED }
      return unless(
        isIdTaken,
        deps.inPostingOrder(viewerId, () => addBoost(deps, boost)),
      )
    })
    const page = await deps.views.byIds(viewerId, [boostId], 'direct')
    // The same person removed the boost concurrently: the boosted status still exists.
    return page.items.length > 0 ? page : await deps.views.byIds(viewerId, [target.id], 'direct')
  }

/** Removes a boost, if there is one, and returns the original (beyond-the-spec 1.10). @throws Failure not_found */
export const unreblogStatus =
  (deps: Deps) =>
  async ({ viewerId, statusId }: { viewerId: string; statusId: string }): Promise<StatusPage> => {
    const target = await markedTarget(deps, { statusId, viewerId })
    await transact(deps.database.db, async (tx) => {
      const boostId = await new ReblogWriter(tx).boostOf(target.id, viewerId)
      const statuses = new StatusWriter(tx)
      const doomed = boostId ? await statuses.doomed([boostId], viewerId) : []
      if (doomed.length === 0) return
      await statuses.remove(doomed)
      const notified = { recipientId: target.authorId, reason: 'reblog', actorId: viewerId, statusId: target.id }
      await deps.outbox.append(tx, [
        ...doomed.map((boost) => deletionEvent(boost, { baseUrl: deps.baseUrl })),
        notificationWithdrawn(notified),
      ])
    })
    return deps.views.byIds(viewerId, [target.id], 'direct')
  }
