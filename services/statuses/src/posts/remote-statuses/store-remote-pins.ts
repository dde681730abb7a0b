import { LIMITS } from '@rookery/contracts/limits'
import type { RemotePins } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Call } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import { RemotePinWriter } from './remote-pin.store.ts'

/**
 * Replaces the pins of a remote account with the first of its own statuses that are not direct, at most `maxPinnedStatuses`. Ignores local
 * accounts.
 */
export const storeRemotePins =
  ({ database }: { database: Database<StatusesTables> }) =>
  async (_call: Call, { accountId, statusIds }: RemotePins): Promise<void> => {
    await transact(database.db, async (tx) => {
      const pins = new RemotePinWriter(tx)
      if (!(await pins.lock(accountId))) return
      await pins.replace(accountId, statusIds, LIMITS.accounts.maxPinnedStatuses)
    })
  }
