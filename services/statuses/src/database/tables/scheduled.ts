import type { ColumnType, Generated } from 'kysely'
import type { StoredAttachment } from './status.ts'

/** A poll as requested; it ends `expires_in` seconds after publication. */
export type WaitingPoll = { options: string[]; expires_in: number | null; multiple: boolean; hide_totals: boolean }

export type ScheduledStatusTable = {
  id: string
  version: Generated<number>
  accountId: string
  /** Null for a draft. */
  scheduledAt: Date | null
  /** When publication failed and the status became a draft; null if it never had a time, or was rescheduled since. */
  missedAt: Date | null
  text: string
  spoilerText: string
  sensitive: boolean | null
  visibility: number
  /** Empty when none was given. */
  language: string
  inReplyToId: string | null
  quotedId: string | null
  /** Null: the author's default. */
  quotePolicy: number | null
  poll: ColumnType<WaitingPoll | null, string | null, string | null>
  attachments: ColumnType<StoredAttachment[], string, string>
  applicationId: string | null
  applicationName: string | null
  applicationWebsite: string | null
  createdAt: Date
}
