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
  /** For admin.report, the report; for a type with a detail, the detail's id, which no service knows. */
  reportId: string | null
  createdAt: Date
  /** For grouped types. */
  groupKey: string | null
  /** Whether the recipient's policy filters it. */
  filtered: Generated<boolean>
  /** An encoded NotificationDetail, for types that have one. */
  detail: Generated<Buffer | null>
}
