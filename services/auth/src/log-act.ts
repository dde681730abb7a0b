import type { Tx } from '@rookery/database'
import type { AuthTables } from '../database/schema.ts'

/** Adds to the log of staff that someone changed a block, in the transaction that changes it. */
export type LogAct = (tx: Tx<AuthTables>, act: { staffId: string; action: string; target: string }) => Promise<void>
