import type { Tx } from '@rookery/database'
import type { AuthTables } from './database/schema.ts'

/** Adds to the log of staff what someone did to something that is no account, in the transaction that does it. */
export type LogAct = (tx: Tx<AuthTables>, act: { staffId: string; action: string; target: string }) => Promise<void>
