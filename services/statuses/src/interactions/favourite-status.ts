import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, isForeignKeyViolation, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { addressRecipient } from '../graph/index.ts'
import { notificationWithdrawn } from '../statuses/index.ts'
import type { Views } from '../views/index.ts'
import { InteractionWriter } from './interaction.store.ts'
import { visibleTarget } from './visible-target.ts'

type Given = { database: Database<StatusesTables>; views: Views; outbox: Outbox; clock: Clock }
type Act = { viewerId: string; statusId: string }

/** Favourites a status; again is the same as once (spec, POST favourite). @throws Failure not_found, forbidden */
export const favouriteStatus =
  (given: Given) =>
  async ({ viewerId, statusId }: Act): Promise<StatusPage> => {
    const target = await visibleTarget(given, { statusId, viewerId }, { refuseBlocked: true })
    await transact(given.database.db, async (tx) => {
      const writer = new InteractionWriter(tx)
      if (!(await writer.add('favourite', viewerId, target.id))) return
      await writer.countFavourite(target.id, 1)
      const address = { recipientId: target.authorId, actorId: viewerId, reason: 'favourite', statusId: target.id }
      await given.outbox.append(tx, await addressRecipient(tx, { ...address, now: new Date(given.clock.now()) }))
    }).catch((error) => {
      if (isForeignKeyViolation(error)) throw notFound('the status was deleted meanwhile')
      throw error
    })
    return given.views.byIds(viewerId, [target.id], 'direct')
  }

/** Takes a favourite back; also when there was none (beyond-the-spec 1.10). @throws Failure not_found */
export const unfavouriteStatus =
  (given: Given) =>
  async ({ viewerId, statusId }: Act): Promise<StatusPage> => {
    const target = await visibleTarget(given, { statusId, viewerId })
    await transact(given.database.db, async (tx) => {
      const writer = new InteractionWriter(tx)
      if (!(await writer.remove('favourite', viewerId, target.id))) return
      await writer.countFavourite(target.id, -1)
      const told = { recipientId: target.authorId, reason: 'favourite', actorId: viewerId, statusId: target.id }
      await given.outbox.append(tx, [notificationWithdrawn(told)])
    })
    return given.views.byIds(viewerId, [target.id], 'direct')
  }
