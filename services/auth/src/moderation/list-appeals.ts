import type { AppealList, ListAppealsRequest } from '@rookery/contracts/auth'
import { type Database, rowsWithin } from '@rookery/database'
import type { Call } from '@rookery/rpc'
import type { AuthTables } from '../database/schema.ts'
import { AppealReader } from './appeal.store.ts'
import { type NamingDeps, nameActs } from './list-acts.ts'

type Deps = NamingDeps & { database: Database<AuthTables> }

const SIZES = { standard: 40, max: 200 }

/** A page of pending appeals, latest act first, and their number. */
export const listAppeals = (deps: Deps) => {
  const reader = new AppealReader(deps.database.db)
  return async (call: Call, { page }: ListAppealsRequest): Promise<AppealList> => {
    const limit = rowsWithin(SIZES, page?.limit || SIZES.standard)
    const [strikes, pending] = await Promise.all([reader.pending({ ...page, limit }), reader.countPending()])
    const acts = await nameActs(deps, call, strikes)
    const appeals = strikes.map(({ appeal }, index) => ({
      act: acts[index],
      text: appeal?.text ?? '',
      createdAtMilliseconds: appeal?.createdAt.getTime() ?? 0,
    }))
    return { appeals, pending }
  }
}
