import type { Generated } from 'kysely'

/** What somebody told moderators of an account. */
export type ReportTable = {
  id: Generated<string>
  account_id: string
  target_id: string
  /** spam, legal, violation or other. */
  category: string
  comment: string
  status_ids: string[]
  rule_ids: string[]
  created_at: Date
  action_taken_at: Date | null
}
