import type { RemoveRemoteAccountRequest } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { closeAccountWithin } from '../account-lifecycle/index.ts'
import { RemoteAccountWriter } from './remote-account.store.ts'

/** Closes an account that its server deleted: from the commit on it is hidden from everyone, and a job deletes its statuses. */
export const removeRemoteAccount =
  ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }) =>
  async ({ uri }: RemoveRemoteAccountRequest): Promise<void> => {
    await transact(database.db, async (tx) => {
      const known = await new RemoteAccountWriter(tx).hold(uri)
      if (known) await closeAccountWithin(tx, known.id, new Date(clock.now()))
    })
  }
