import type { Generated } from 'kysely'

/** Somebody was told of something, once. Ids are sequential and stay below 2^53 (beyond-the-spec 0.2). */
export type NotificationTable = {
  id: Generated<string>
  recipient_id: string
  /** mention, status, reblog, favourite, follow, follow_request, poll, update, admin.sign_up or admin.report. */
  type: string
  actor_id: string
  status_id: string | null
  /** Of admin.report. */
  report_id: string | null
  created_at: Date
}
