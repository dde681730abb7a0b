import type { PollDraft, PublishRequest, UpdateScheduledRequest, Visibility } from '@rookery/contracts/statuses'
import { Failure } from '@rookery/failures'
import { languageCode } from '../../content/text/index.ts'
import type { WaitingPoll } from '../../database/tables/scheduled.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How far ahead the nearest time is (spec, Other constants 2), in milliseconds. */
const MIN_AHEAD = 5 * MINUTE
/** What one person may have waiting, and how much of it for one day (beyond-the-spec 1.2). */
const MAX_IN_ALL = 300
const MAX_A_DAY = 25
/** The last moment whose year has four digits. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** What of a scheduled status its author decides. */
export type Content = {
  text: string
  spoilerText: string
  sensitive: boolean | null
  visibility: number
  language: string
  inReplyToId: string | null
  poll: WaitingPoll | null
}

/** Content with its files, author and app, as it is published. */
type Publishable = Content & {
  accountId: string
  attachments: readonly Pick<StoredAttachment, 'id'>[]
  applicationName: string | null
  applicationWebsite: string | null
}

/** @throws Failure invalid for a moment (milliseconds since 1970) that the API cannot say */
export const refuseBeyondTime = (at: number): void => {
  if (!(at <= LAST_MOMENT)) throw new Failure('invalid', 'Invalid date supplied')
}

/** What is wrong with a time, in the contract's words. Seconds are compared, since that is what people choose. */
export const timeFaults = (at: number, now: number): string[] => {
  const ahead = Math.floor(at / 1000) - Math.floor(now / 1000)
  return ahead * 1000 < MIN_AHEAD ? ['Scheduled at The scheduled date must be in the future'] : []
}

/** The day of a moment, in UTC, as the moments it begins and ends. */
export const dayOf = (at: Date): { begins: Date; ends: Date } => {
  const begins = Math.floor(at.getTime() / DAY) * DAY
  return { begins: new Date(begins), ends: new Date(begins + DAY) }
}

/** What is wrong with one more, beside what waits in all and on its day. Drafts count in all and have no day. */
export const limitFaults = (others: { inAll: number; onDay: number }): string[] =>
  [
    others.inAll >= MAX_IN_ALL && `You have exceeded the limit of ${MAX_IN_ALL} scheduled posts`,
    others.onDay >= MAX_A_DAY && `You have exceeded the limit of ${MAX_A_DAY} scheduled posts for today`,
  ].filter((fault) => fault !== false)

/** A poll as it waits. */
export const waitingPoll = (draft: PollDraft): WaitingPoll => ({
  options: draft.options,
  expires_in: draft.expiresInSeconds ?? null,
  multiple: draft.isMultiple,
  hide_totals: draft.hidesTotals,
})

/** The poll that waits as it was asked for. */
export const pollDraft = (poll: WaitingPoll): PollDraft => ({
  options: poll.options,
  expiresInSeconds: poll.expires_in ?? undefined,
  isMultiple: poll.multiple,
  hidesTotals: poll.hide_totals,
})

/** What a request asks for, as it waits. */
export const contentOf = (request: PublishRequest): Content => ({
  text: request.text,
  spoilerText: request.spoilerText,
  sensitive: request.sensitive ?? null,
  visibility: request.visibility,
  language: languageCode(request.language) ?? '',
  inReplyToId: request.inReplyToId || null,
  poll: request.poll ? waitingPoll(request.poll) : null,
})

/** The content with what was given in place of what was. */
export const changedContent = (before: Content, change: UpdateScheduledRequest): Content => ({
  text: change.text ?? before.text,
  spoilerText: change.spoilerText ?? before.spoilerText,
  sensitive: change.sensitive ?? before.sensitive,
  visibility: change.visibility || before.visibility,
  language: change.language === undefined ? before.language : (languageCode(change.language) ?? ''),
  inReplyToId: change.inReplyToId === undefined ? before.inReplyToId : change.inReplyToId || null,
  poll: change.poll === undefined ? before.poll : change.poll.poll ? waitingPoll(change.poll.poll) : null,
})

/** Whether a change says anything of the content, rather than of the time alone. */
export const changesContent = (change: UpdateScheduledRequest): boolean => {
  const { text, spoilerText, sensitive, visibility, language, inReplyToId, media, poll } = change
  return [text, spoilerText, sensitive, visibility, language, inReplyToId, media, poll].some((given) => given !== undefined)
}

/** The request that publishes it. */
export const requestOf = (waiting: Publishable): PublishRequest => ({
  authorId: waiting.accountId,
  text: waiting.text,
  spoilerText: waiting.spoilerText,
  sensitive: waiting.sensitive ?? undefined,
  visibility: waiting.visibility as Visibility,
  language: waiting.language,
  inReplyToId: waiting.inReplyToId ?? '',
  mediaIds: waiting.attachments.map(({ id }) => id),
  idempotencyKey: '',
  application: waiting.applicationName === null ? undefined : { name: waiting.applicationName, website: waiting.applicationWebsite ?? '' },
  poll: waiting.poll ? pollDraft(waiting.poll) : undefined,
})
