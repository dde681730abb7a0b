import type { Report } from '@rookery/contracts/statuses'
import { jsonWith } from './json-with.ts'
import { timestamp } from './timestamp.ts'

/** A report without its account. */
export const reportEntity = (report: Report) => ({
  id: report.id,
  action_taken: report.actionTakenAtMilliseconds !== undefined,
  action_taken_at: report.actionTakenAtMilliseconds === undefined ? null : timestamp(report.actionTakenAtMilliseconds),
  category: report.category,
  comment: report.comment,
  forwarded: report.isForwarded,
  created_at: timestamp(report.createdAtMilliseconds),
  status_ids: report.statusIds,
  rule_ids: report.ruleIds.length > 0 ? report.ruleIds : null,
})

/** Report (beyond-the-spec 1.1) from the JSON of the account it is about. */
export const reportJson = (report: Report, target: Buffer): Buffer => jsonWith(reportEntity(report), { target_account: target })
