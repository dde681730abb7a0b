import type { Generated } from 'kysely'

/** What someone told moderators of an account. */
export type ReportTable = {
  id: Generated<string>
  accountId: string
  targetId: string
  /** spam, legal, violation or other. */
  category: string
  comment: string
  statusIds: string[]
  ruleIds: string[]
  createdAt: Date
  actionTakenAt: Date | null
}
