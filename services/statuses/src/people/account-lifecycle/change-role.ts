import { isRoleName } from '@rookery/contracts/permissions'
import { type Database, transact } from '@rookery/database'
import { invalid } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountWriter } from '../accounts/index.ts'

/** Stores the role shown on a profile; plain users show none. @throws Failure invalid for an unknown role; not_found */
export const changeRole =
  ({ database }: { database: Database<StatusesTables> }) =>
  async ({ id, role }: { id: string; role: string }): Promise<void> => {
    if (!isRoleName(role)) throw invalid('Role is not included in the list')
    await transact(database.db, (tx) => new AccountWriter(tx).setRole(id, role === 'user' ? '' : role))
  }
