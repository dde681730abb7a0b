import type { Tx } from '@rookery/database'
import type { AuthTables } from './database/schema.ts'

/** What someone did; of something that belongs to an account, also whose it is. */
export type LoggedAct = { staffId: string; action: string; target: string; accountId?: string }

/** Adds to the log of staff what someone did to something that is no account, in the transaction that does it. */
export type LogAct = (tx: Tx<AuthTables>, act: LoggedAct) => Promise<void>
