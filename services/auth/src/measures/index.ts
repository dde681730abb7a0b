import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import { forgetSeenDays } from './measure.store.ts'
import { createLoginMeasuresRpc } from './measures.rpc.ts'

const DAY = 86_400_000
/** Days of which it is known who was seen: half a year, and as many to compare it with. */
const DAYS_KEPT = 366

/** Logins in numbers, for the dashboards of staff. */
export const createLoginMeasures = ({ database, ...deps }: { database: Database<AuthTables>; clock: Clock; logins: Logins }) => ({
  rpc: createLoginMeasuresRpc({ database, ...deps }),
  forgetDays: (now: Date) => transact(database.db, (tx) => forgetSeenDays(tx, Math.floor(now.getTime() / DAY) - DAYS_KEPT)),
})

export type LoginMeasures = ReturnType<typeof createLoginMeasures>
