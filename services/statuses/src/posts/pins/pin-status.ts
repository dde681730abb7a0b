import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { pinFault } from './pin.rules.ts'
import { PinWriter } from './pin.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; outbox: Outbox }
type Act = { viewerId: string; statusId: string }

/** Pins the viewer's own status to their profile; idempotent (beyond-the-spec 1.10, 1.11). @throws Failure not_found, invalid */
export const pinStatus =
  ({ database, views, outbox }: Deps) =>
  async ({ viewerId, statusId }: Act): Promise<StatusPage> => {
    orNotFound((await views.byIds(viewerId, [statusId], 'direct')).items[0])
    await transact(database.db, async (tx) => {
      const pins = new PinWriter(tx)
      const count = await pins.count(viewerId)
      if (await pins.has(viewerId, statusId)) return
      const fault = pinFault(orNotFound(await pins.pinnable(statusId)), viewerId, count)
      if (fault) throw invalid(fault)
      await pins.add(viewerId, statusId)
      await outbox.append(tx, [{ key: viewerId, event: { $case: 'statusPinned', value: { accountId: viewerId, statusId } } }])
    })
    return views.byIds(viewerId, [statusId], 'direct')
  }

/** Unpins a status, if it is pinned. @throws Failure not_found */
export const unpinStatus =
  ({ database, views, outbox }: Deps) =>
  async ({ viewerId, statusId }: Act): Promise<StatusPage> => {
    orNotFound((await views.byIds(viewerId, [statusId], 'direct')).items[0])
    await transact(database.db, async (tx) => {
      if (!(await new PinWriter(tx).remove(viewerId, statusId))) return
      await outbox.append(tx, [{ key: viewerId, event: { $case: 'statusUnpinned', value: { accountId: viewerId, statusId } } }])
    })
    return views.byIds(viewerId, [statusId], 'direct')
  }
