import type { ScheduledStatus, Visibility } from '@rookery/contracts/statuses'
import { assembleAttachment } from '../../views/index.ts'
import { pollDraft } from './scheduled.rules.ts'
import type { ScheduledRow } from './scheduled.store.ts'

/** A row as its owner sees it. */
export const scheduledMessage = (row: ScheduledRow): ScheduledStatus => ({
  id: row.id,
  scheduledAtMilliseconds: row.scheduled_at?.getTime(),
  missedAtMilliseconds: row.missed_at?.getTime(),
  text: row.text,
  spoilerText: row.spoiler_text,
  sensitive: row.sensitive ?? undefined,
  visibility: row.visibility as Visibility,
  language: row.language,
  inReplyToId: row.in_reply_to_id ?? '',
  attachments: row.attachments.map(assembleAttachment),
  poll: row.poll ? pollDraft(row.poll) : undefined,
  applicationId: row.application_id ?? '',
})
