import type { ColumnType, Generated } from 'kysely'
import type { StoredAttachment } from './status.ts'

/** A poll as it is asked for; it ends so many seconds after it is published. */
export type WaitingPoll = { options: string[]; expires_in: number | null; multiple: boolean; hide_totals: boolean }

export type ScheduledStatusTable = {
  id: string
  version: Generated<number>
  account_id: string
  /** Null for a draft. */
  scheduled_at: Date | null
  /** The time at which a draft could not be published; null for one that never had a time, or got another since. */
  missed_at: Date | null
  text: string
  spoiler_text: string
  sensitive: boolean | null
  visibility: number
  /** Empty when none was given. */
  language: string
  in_reply_to_id: string | null
  poll: ColumnType<WaitingPoll | null, string | null, string | null>
  attachments: ColumnType<StoredAttachment[], string, string>
  application_id: string | null
  application_name: string | null
  application_website: string | null
  created_at: Date
}
