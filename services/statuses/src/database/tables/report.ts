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
  /** Whether it is forwarded to the server of the reported account. */
  isForwarded: Generated<boolean>
  /** Whether copies of its statuses are stored. */
  hasCopies: Generated<boolean>
  createdAt: Date
  actionTakenAt: Date | null
  /** Who resolved it; null while it is open, and for an operator. */
  actionTakenById: string | null
  assignedToId: string | null
  /** Null before the first change. */
  updatedAt: Date | null
}

/** A copy of one revision of a reported status. */
export type StatusCopyTable = {
  id: Generated<string>
  statusId: string
  /** When the status was posted or, if edited, last edited before the copy. */
  revisedAt: Date
  /** An encoded FormerStatus. */
  content: Buffer
}

/** Links a report to a copy. */
export type ReportedStatusTable = { reportId: string; copyId: string }
