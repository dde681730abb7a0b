import type { Generated } from 'kysely'

/** A notification of an account. Ids are sequential and stay below 2^53 (beyond-the-spec 0.2). */
export type NotificationTable = {
  id: Generated<string>
  recipientId: string
  /**
   * mention, status, reblog, favourite, quote, quoted_update, follow, follow_request, poll, update, admin.sign_up, admin.report,
   * moderation_warning or severed_relationships.
   */
  type: string
  actorId: string
  statusId: string | null
  /** Of admin.report the report; of a type with a detail the id of that, which no service is asked for. */
  reportId: string | null
  createdAt: Date
  /** Of types that are grouped. */
  groupKey: string | null
  /** The recipient's policy holds it back. */
  filtered: Generated<boolean>
  /** An encoded NotificationDetail, of types that have one. */
  detail: Generated<Buffer | null>
}
