import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import { forgetSeenDays } from './measure.store.ts'
import { createLoginMeasuresRpc } from './measures.rpc.ts'

const DAY = 86_400_000
/** Days of activity that are kept: half a year, and the half year before for comparison. */
const DAYS_KEPT = 366

/** Measures of logins, for the dashboards of staff. */
export const createLoginMeasures = ({ database, ...deps }: { database: Database<AuthTables>; clock: Clock; logins: Logins }) => ({
  rpc: createLoginMeasuresRpc({ database, ...deps }),
  forgetDays: (now: Date) => transact(database.db, (tx) => forgetSeenDays(tx, Math.floor(now.getTime() / DAY) - DAYS_KEPT)),
})

export type LoginMeasures = ReturnType<typeof createLoginMeasures>
