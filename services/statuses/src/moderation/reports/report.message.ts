import type { Report } from '@rookery/contracts/statuses'
import type { ReportRow } from './report.store.ts'

/** Converts a row to the message of the contract. */
export const reportMessage = (row: ReportRow): Report => ({
  id: row.id,
  accountId: row.accountId,
  targetId: row.targetId,
  category: row.category,
  comment: row.comment,
  statusIds: row.statusIds,
  ruleIds: row.ruleIds,
  createdAtMilliseconds: row.createdAt.getTime(),
  isForwarded: row.isForwarded,
  actionTakenAtMilliseconds: row.actionTakenAt?.getTime(),
})
