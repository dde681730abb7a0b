import type { Generated } from 'kysely'

/** A notification of an account. Ids are sequential and stay below 2^53 (beyond-the-spec 0.2). */
export type NotificationTable = {
  id: Generated<string>
  recipientId: string
  /** mention, status, reblog, favourite, follow, follow_request, poll, update, admin.sign_up or admin.report. */
  type: string
  actorId: string
  statusId: string | null
  /** Of admin.report. */
  reportId: string | null
  createdAt: Date
  /** Of types that are grouped. */
  groupKey: string | null
  /** The recipient's policy holds it back. */
  filtered: Generated<boolean>
}
