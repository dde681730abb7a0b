import type { Generated } from 'kysely'

/** A report to moderators about an account. */
export type ReportTable = {
  id: Generated<string>
  accountId: string
  targetId: string
  /** spam, legal, violation or other. */
  category: string
  comment: string
  statusIds: string[]
  ruleIds: string[]
  /** The server of the person it is about is notified of it. */
  isForwarded: Generated<boolean>
  createdAt: Date
  actionTakenAt: Date | null
  /** Who did something about it; null for an operator as well. */
  actionTakenById: string | null
  assignedToId: string | null
  /** Null until something of it changes. */
  updatedAt: Date | null
}
