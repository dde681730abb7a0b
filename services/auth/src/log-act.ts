import type { Tx } from '@rookery/database'
import type { AuthTables } from './database/schema.ts'

/** An act on something else than an account; `accountId` is the owner, if it has one. */
export type LoggedAct = { staffId: string; action: string; target: string; accountId?: string }

/** Adds an act on something else than an account to the log of staff, in the transaction of the act. */
export type LogAct = (tx: Tx<AuthTables>, act: LoggedAct) => Promise<void>
