import type { Generated } from 'kysely'

/** What someone of the staff, or an operator, did. Rows are added and never changed. */
export type StaffActTable = {
  id: Generated<string>
  /** Null for an operator. */
  actorId: string | null
  action: string
  /** On whom; null for what is no account, which target names. */
  accountId: string | null
  target: Generated<string>
  text: string
  reportId: string | null
  createdAt: Date
}

/** An act that statuses does not know yet, as the encoded request it is sent. */
export type UnfinishedActTable = { actId: string; accountId: string; request: Buffer }
