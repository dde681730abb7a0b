import type { PublishRequest, UpdateScheduledRequest } from '@rookery/contracts/statuses'
import { Failure } from '@rookery/failures'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** The minimum time ahead (spec, Other constants 2), in milliseconds. */
const MIN_AHEAD = 5 * MINUTE
/** Limits per account, in total and per day (beyond-the-spec 1.2). */
const MAX_IN_ALL = 300
const MAX_A_DAY = 25
/** The last time with a four-digit year. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** @throws Failure invalid for a time (milliseconds since 1970) that the API cannot express */
export const refuseBeyondTime = (at: number): void => {
  if (!(at <= LAST_MOMENT)) throw new Failure('invalid', 'Invalid date supplied')
}

/** The faults of a time, in the contract's words. Whole seconds are compared, since that is what people choose. */
export const timeFaults = (at: number, now: number): string[] => {
  const ahead = Math.floor(at / 1000) - Math.floor(now / 1000)
  return ahead * 1000 < MIN_AHEAD ? ['Scheduled at The scheduled date must be in the future'] : []
}

/** The UTC day of a time, as its beginning and end. */
export const dayOf = (at: Date): { begins: Date; ends: Date } => {
  const begins = Math.floor(at.getTime() / DAY) * DAY
  return { begins: new Date(begins), ends: new Date(begins + DAY) }
}

/** The faults of another status, given the number of others in total and on its day. Drafts count only in total. */
export const limitFaults = (others: { inAll: number; onDay: number }): string[] =>
  [
    others.inAll >= MAX_IN_ALL && `You have exceeded the limit of ${MAX_IN_ALL} scheduled posts`,
    others.onDay >= MAX_A_DAY && `You have exceeded the limit of ${MAX_A_DAY} scheduled posts for today`,
  ].filter((fault) => fault !== false)

/** A request with the changed fields. An empty reply, quote, poll or file list removes it. */
export const changedRequest = (before: PublishRequest, change: UpdateScheduledRequest): PublishRequest => ({
  ...before,
  text: change.text ?? before.text,
  spoilerText: change.spoilerText ?? before.spoilerText,
  sensitive: change.sensitive ?? before.sensitive,
  visibility: change.visibility || before.visibility,
  language: change.language ?? before.language,
  inReplyToId: change.inReplyToId ?? before.inReplyToId,
  quotedStatusId: change.quotedStatusId ?? before.quotedStatusId,
  quotePolicy: change.quotePolicy ?? before.quotePolicy,
  mediaIds: change.media?.ids ?? before.mediaIds,
  poll: change.poll ? change.poll.poll : before.poll,
})

/** Whether a change has any field besides the time. */
export const changesContent = (change: UpdateScheduledRequest): boolean => {
  const { id: _id, viewerId: _viewer, isDraft: _isDraft, scheduledAtMilliseconds: _time, ...content } = change
  return Object.values(content).some((given) => given !== undefined)
}
