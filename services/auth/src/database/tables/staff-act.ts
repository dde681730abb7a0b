import type { Generated } from 'kysely'

/** An act of staff or of an operator. Append-only. */
export type StaffActTable = {
  id: Generated<string>
  /** Null for an operator. */
  actorId: string | null
  action: string
  /** The affected account; null for acts on anything else, which `target` names. */
  accountId: string | null
  target: Generated<string>
  text: string
  reportId: string | null
  createdAt: Date
}

/** An act that statuses has not applied yet, as the encoded request. */
export type UnfinishedActTable = { actId: string; accountId: string; request: Buffer }
