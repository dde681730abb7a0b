import type { MoveRemoteAccountRequest } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { StatusesTables } from '../../database/schema.ts'
import { moveWithin } from '../account-migration/index.ts'
import { RemoteAccountReader } from './remote-account.store.ts'

/**
 * Stores the move of a remote account; a job has its local followers follow the new account.
 * @throws Failure not_found if it is not a remote account; invalid for a target that does not name it as an alias
 */
export const followRemoteMove =
  ({ database, outbox }: { database: Database<StatusesTables>; outbox: Outbox }) =>
  async ({ accountId, targetId }: MoveRemoteAccountRequest): Promise<void> => {
    const isRemote = isId(accountId) && isId(targetId) && (await new RemoteAccountReader(database.db).isRemote(accountId))
    if (!isRemote) throw notFound(`${accountId} is no account of another server`)
    await moveWithin({ database, outbox }, { accountId, otherId: targetId })
  }
