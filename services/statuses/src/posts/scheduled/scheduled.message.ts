import type { ScheduledStatus, Visibility } from '@rookery/contracts/statuses'
import { assembleAttachment } from '../../views/index.ts'
import { pollDraft } from './scheduled.rules.ts'
import type { ScheduledRow } from './scheduled.store.ts'

/** A row as its owner sees it. */
export const scheduledMessage = (row: ScheduledRow): ScheduledStatus => ({
  id: row.id,
  scheduledAtMilliseconds: row.scheduledAt?.getTime(),
  missedAtMilliseconds: row.missedAt?.getTime(),
  text: row.text,
  spoilerText: row.spoilerText,
  sensitive: row.sensitive ?? undefined,
  visibility: row.visibility as Visibility,
  language: row.language,
  inReplyToId: row.inReplyToId ?? '',
  attachments: row.attachments.map(assembleAttachment),
  poll: row.poll ? pollDraft(row.poll) : undefined,
  applicationId: row.applicationId ?? '',
})
