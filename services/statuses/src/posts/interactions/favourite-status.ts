import { batching } from '@rookery/batching'
import { StatusPage } from '@rookery/contracts/statuses'
import { type Database, isForeignKeyViolation, type Tx, transact } from '@rookery/database'
import type { Outbox, OutboxEvent } from '@rookery/events'
import { notFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import { addressRecipients, notificationWithdrawn } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { InteractionWriter } from './interaction.store.ts'
import { markedTarget, visibleTarget } from './visible-target.ts'

type Deps = { database: Database<StatusesTables>; views: Views; outbox: Outbox; clock: Clock }
type Act = { viewerId: string; statusId: string; withoutPage?: boolean | undefined }
type Favourite = { accountId: string; statusId: string; authorId: string }
type Changed = Favourite & { isSent: boolean }
type Change = (tx: Tx<StatusesTables>, favourites: Favourite[]) => Promise<OutboxEvent[]>

const keyOf = ({ accountId, statusId }: Pick<Favourite, 'accountId' | 'statusId'>) => `${accountId} ${statusId}`

/** The changed favourites, with their authors. */
const among = (favourites: readonly Favourite[], changed: readonly Omit<Changed, 'authorId'>[]): Changed[] => {
  const byKey = new Map(favourites.map((favourite) => [keyOf(favourite), favourite]))
  return changed.map((interaction) => ({ ...byKey.get(keyOf(interaction))!, isSent: interaction.isSent }))
}

/** The events for other servers: of local people's favourites of remote statuses. */
const sent = ($case: 'statusFavourited' | 'statusUnfavourited', changed: readonly Changed[]): OutboxEvent[] =>
  changed
    .filter(({ isSent }) => isSent)
    .map(({ accountId, statusId, authorId }) => ({ key: accountId, event: { $case, value: { accountId, statusId, authorId } } }) as const)

/** Maximum attempts of a batch that fails because an account in it was deleted: the next attempt sees that. */
const MAX_ATTEMPTS = 3

/**
 * Changes favourites in batches, each one transaction: a status that many favourite at once has its row locked and its count changed once per batch,
 * instead of once per person. Resolves to true, or undefined if the status does not exist.
 */
const inBatches = ({ database, outbox }: Deps, change: Change) =>
  batching<Favourite, true>(async (favourites) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await transact(database.db, async (tx) => {
          const there = new Set(await new InteractionWriter(tx).lock(favourites.map(({ statusId }) => statusId)))
          const possible = favourites.filter(({ statusId }) => there.has(statusId))
          await outbox.append(tx, await change(tx, possible))
          return new Map(possible.map((favourite) => [favourite, true]))
        })
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isForeignKeyViolation(error)) throw error
      }
    }
  })

/** The response if the caller needs none. */
const NOTHING: StatusPage = StatusPage.create()

/** Favourites a status; idempotent (spec, POST favourite). @throws Failure not_found, forbidden */
export const favouriteStatus = (deps: Deps) => {
  const add = inBatches(deps, async (tx, favourites) => {
    const added = among(favourites, await new InteractionWriter(tx).addFavourites(favourites))
    const acts = added.map(({ authorId, accountId, statusId }) => ({
      recipientId: authorId,
      actorId: accountId,
      reason: 'favourite',
      statusId,
    }))
    return [...sent('statusFavourited', added), ...(await addressRecipients(tx, acts, new Date(deps.clock.now())))]
  })
  return async ({ viewerId, statusId, withoutPage }: Act): Promise<StatusPage> => {
    const target = await visibleTarget(deps, { statusId, viewerId }, { refuseBlocked: true })
    const isThere = await add({ accountId: viewerId, statusId: target.id, authorId: target.authorId })
    if (!isThere) throw notFound('the status was deleted meanwhile')
    return withoutPage ? NOTHING : deps.views.byIds(viewerId, [target.id], 'direct')
  }
}

/** Removes a favourite, if there is one (beyond-the-spec 1.10). @throws Failure not_found */
export const unfavouriteStatus = (deps: Deps) => {
  const remove = inBatches(deps, async (tx, favourites) => {
    const removed = among(favourites, await new InteractionWriter(tx).removeFavourites(favourites))
    const withdrawn = removed.map(({ authorId, accountId, statusId }) =>
      notificationWithdrawn({ recipientId: authorId, reason: 'favourite', actorId: accountId, statusId }),
    )
    return [...sent('statusUnfavourited', removed), ...withdrawn]
  })
  return async ({ viewerId, statusId }: Act): Promise<StatusPage> => {
    const target = await markedTarget(deps, { statusId, viewerId })
    await remove({ accountId: viewerId, statusId: target.id, authorId: target.authorId })
    return deps.views.byIds(viewerId, [target.id], 'direct')
  }
}
