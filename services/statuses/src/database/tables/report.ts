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
  /** What it names is kept as it found it. */
  hasCopies: Generated<boolean>
  createdAt: Date
  actionTakenAt: Date | null
  /** Who did something about it; null for an operator as well. */
  actionTakenById: string | null
  assignedToId: string | null
  /** Null until something of it changes. */
  updatedAt: Date | null
}

/** A status as reports found it. */
export type StatusCopyTable = {
  id: Generated<string>
  statusId: string
  /** When it was written or, by then, edited last. */
  revisedAt: Date
  /** An encoded FormerStatus. */
  content: Buffer
}

/** What a report names as it found it. */
export type ReportedStatusTable = { reportId: string; copyId: string }
