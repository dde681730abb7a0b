import type { AccountView, ApplyActRequest } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import { markRecentUses } from '../../content/uses/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { resolveWithin } from '../reports/index.ts'
import { ActWriter } from './act.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; views: Views }

/**
 * Does what an act changes of an account, and resolves the report it answers, once: a repeat, and an act that a later one overtook, change
 * nothing. Returns the account as it is then. @throws Failure not_found
 */
export const applyAct =
  ({ database, clock, views }: Deps) =>
  async ({ actId, accountId, staffId, reportId, ...state }: ApplyActRequest): Promise<AccountView> => {
    await transact(database.db, async (tx) => {
      if (!(await new ActWriter(tx).apply(actId, accountId, state))) return
      // What silenced, suspended and inactive people use does not trend.
      await markRecentUses(tx, accountId, clock.now())
      if (!isId(reportId)) return
      await resolveWithin(tx, { id: reportId, targetId: accountId, by: staffId || null, now: new Date(clock.now()) })
    })
    return orNotFound((await views.accounts([accountId]))[0], `no account ${accountId}`)
  }
