import type { PollDraft, PublishRequest, QuotePolicy, ScheduledStatus, Visibility } from '@rookery/contracts/statuses'
import { languageCode } from '../../content/text/index.ts'
import type { WaitingPoll } from '../../database/tables/scheduled.ts'
import { presentAttachment } from '../../views/index.ts'
import type { ScheduledRow } from './scheduled.store.ts'

const storedPoll = (draft: PollDraft): WaitingPoll => ({
  options: draft.options,
  expires_in: draft.expiresInSeconds ?? null,
  multiple: draft.isMultiple,
  hide_totals: draft.hidesTotals,
})

const pollDraft = (poll: WaitingPoll): PollDraft => ({
  options: poll.options,
  expiresInSeconds: poll.expires_in ?? undefined,
  isMultiple: poll.multiple,
  hidesTotals: poll.hide_totals,
})

/** The columns of a request to publish, except its files and key. */
export const columnsOf = (request: PublishRequest) => ({
  accountId: request.authorId,
  text: request.text,
  spoilerText: request.spoilerText,
  sensitive: request.sensitive ?? null,
  visibility: request.visibility,
  language: languageCode(request.language) ?? '',
  inReplyToId: request.inReplyToId || null,
  quotedId: request.quotedStatusId || null,
  quotePolicy: request.quotePolicy ?? null,
  poll: request.poll ? storedPoll(request.poll) : null,
  applicationName: request.application?.name ?? null,
  applicationWebsite: request.application?.website || null,
})

/** The request that publishes a scheduled status. */
export const requestOf = (row: ScheduledRow): PublishRequest => ({
  authorId: row.accountId,
  text: row.text,
  spoilerText: row.spoilerText,
  sensitive: row.sensitive ?? undefined,
  visibility: row.visibility as Visibility,
  language: row.language,
  inReplyToId: row.inReplyToId ?? '',
  quotedStatusId: row.quotedId ?? '',
  quotePolicy: (row.quotePolicy as QuotePolicy | null) ?? undefined,
  mediaIds: row.attachments.map(({ id }) => id),
  idempotencyKey: '',
  application: row.applicationName === null ? undefined : { name: row.applicationName, website: row.applicationWebsite ?? '' },
  poll: row.poll ? pollDraft(row.poll) : undefined,
})

/** A scheduled status as its author sees it. */
export const scheduledMessage = (row: ScheduledRow): ScheduledStatus => ({
  ...requestOf(row),
  id: row.id,
  scheduledAtMilliseconds: row.scheduledAt?.getTime(),
  missedAtMilliseconds: row.missedAt?.getTime(),
  attachments: row.attachments.map(presentAttachment),
  applicationId: row.applicationId ?? '',
})
