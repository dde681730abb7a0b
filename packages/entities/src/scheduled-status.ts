import { type PollDraft, type ScheduledStatus, Visibility } from '@rookery/contracts/statuses'
import { mediaAttachmentEntity } from './media-attachment.ts'
import { QUOTE_POLICY_NAMES } from './quote.ts'
import { VISIBILITY_NAMES } from './status.ts'
import { timestamp } from './timestamp.ts'

const pollParameters = (poll: PollDraft) => ({
  options: poll.options,
  expires_in: poll.expiresInSeconds ?? null,
  multiple: poll.isMultiple,
  hide_totals: poll.hidesTotals,
})

const parameters = (status: ScheduledStatus) => ({
  text: status.text,
  media_ids: status.attachments.length > 0 ? status.attachments.map(({ id }) => id) : null,
  sensitive: status.sensitive ?? null,
  spoiler_text: status.spoilerText || null,
  visibility: status.visibility === Visibility.UNSPECIFIED ? null : VISIBILITY_NAMES[status.visibility],
  language: status.language || null,
  scheduled_at: null,
  poll: status.poll ? pollParameters(status.poll) : null,
  idempotency: null,
  in_reply_to_id: status.inReplyToId || null,
  quoted_status_id: status.quotedStatusId || null,
  quote_approval_policy: status.quotePolicy === undefined ? null : QUOTE_POLICY_NAMES[status.quotePolicy],
})

/**
 * ScheduledStatus (spec, Resources; beyond-the-spec 1.10); its time is null for a draft, and the missed time if it could not be published.
 * The app's id is a 64-bit integer, beyond JavaScript's numbers, so it is concatenated into the JSON.
 */
export const scheduledStatusJson = (status: ScheduledStatus): Buffer => {
  const at = status.scheduledAtMilliseconds ?? status.missedAtMilliseconds
  const before = JSON.stringify({
    id: status.id,
    scheduled_at: at === undefined ? null : timestamp(at),
    media_attachments: status.attachments.map((attachment) => mediaAttachmentEntity(attachment)),
  })
  const params = JSON.stringify(parameters(status))
  return Buffer.from(`${before.slice(0, -1)},"params":${params.slice(0, -1)},"application_id":${status.applicationId || 'null'}}}`)
}
