import type { Report } from '@rookery/contracts/statuses'
import type { ReportRow } from './report.store.ts'

/** A row as other services see it. */
export const reportMessage = (row: ReportRow): Report => ({
  id: row.id,
  accountId: row.account_id,
  targetId: row.target_id,
  category: row.category,
  comment: row.comment,
  statusIds: row.status_ids,
  ruleIds: row.rule_ids,
  createdAtMilliseconds: row.created_at.getTime(),
  actionTakenAtMilliseconds: row.action_taken_at?.getTime(),
})
