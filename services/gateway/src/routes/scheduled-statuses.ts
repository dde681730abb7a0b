import { PAGE_SIZES } from '@rookery/contracts/limits'
import { jsonList, scheduledStatusJson } from '@rookery/entities'
import { User } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { flag, form, givenId, givenTexts, hash, pageOf, paging, text } from '../http/fields.ts'
import { pollDraft } from './poll-draft.ts'
import { quotePolicyOf } from './quotes.ts'
import { recordId, statusReply } from './replies.ts'
import { scheduledAt } from './scheduled-at.ts'
import { mediaIds, visibilityOf } from './statuses.ts'

export const listScheduledStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/scheduled_statuses',
  access: User('read:statuses'),
  summary:
    'Scheduled statuses, newest first, including those that could not be published in time; with drafts=true drafts, including the latter.',
  input: form({ ...paging(PAGE_SIZES.scheduled), drafts: flag() }),
  handle: async ({ call, input, viewerId }, clients) => {
    const request = { viewerId, page: pageOf(input), drafts: input.drafts }
    const { scheduled, cursors } = await clients.scheduled.list(call, request)
    return new Reply(jsonList(scheduled.map(scheduledStatusJson)), { page: { cursors, style: STATUS_LIST } })
  },
})

export const readScheduledStatus = endpoint({
  method: 'GET',
  path: '/api/v1/scheduled_statuses/:id',
  access: User('read:statuses'),
  summary: "One's own scheduled status or draft.",
  handle: async ({ call, params, viewerId }, { scheduled }) =>
    scheduledStatusJson(await scheduled.read(call, { id: recordId(params), viewerId })),
})

export const updateScheduledStatus = endpoint({
  method: 'PUT',
  path: '/api/v1/scheduled_statuses/:id',
  access: User('write:statuses'),
  summary:
    "Changes what is given of one's own scheduled status, its time or anything else. scheduled_at gives a draft its time, draft=true takes it away; an empty in_reply_to_id, quoted_status_id, media_ids[] or poll[options][] takes those away.",
  input: form({
    scheduled_at: text(),
    draft: flag(),
    status: text(),
    spoiler_text: text(),
    sensitive: flag(),
    visibility: text(),
    language: text(),
    in_reply_to_id: givenId('in_reply_to_id'),
    quoted_status_id: givenId('quoted_status_id'),
    quote_approval_policy: text(),
    media_ids: givenTexts(),
    poll: hash(),
  }),
  handle: async ({ call, params, input, viewerId }, { scheduled }) => {
    const changed = await scheduled.update(call, {
      id: recordId(params),
      viewerId,
      scheduledAtMilliseconds: scheduledAt(input.scheduled_at),
      isDraft: input.draft,
      text: input.status,
      spoilerText: input.spoiler_text,
      sensitive: input.sensitive,
      visibility: input.visibility ? visibilityOf(input.visibility) : undefined,
      language: input.language,
      inReplyToId: input.in_reply_to_id,
      quotedStatusId: input.quoted_status_id,
      quotePolicy: quotePolicyOf(input.quote_approval_policy),
      media: input.media_ids && { ids: mediaIds(input.media_ids) },
      poll: input.poll && { poll: pollDraft(input.poll) },
    })
    return scheduledStatusJson(changed)
  },
})

export const cancelScheduledStatus = endpoint({
  method: 'DELETE',
  path: '/api/v1/scheduled_statuses/:id',
  access: User('write:statuses'),
  summary: "Cancels one's own scheduled status or draft; its files may be attached elsewhere again.",
  handle: async ({ call, params, viewerId }, { scheduled }) => {
    await scheduled.cancel(call, { id: recordId(params), viewerId })
    return {}
  },
})

export const publishScheduledStatus = endpoint({
  method: 'POST',
  path: '/api/v1/scheduled_statuses/:id/publish',
  access: User('write:statuses'),
  summary: "Publishes one's own scheduled status or draft now.",
  handle: async ({ call, params, viewerId }, clients) =>
    statusReply(await clients.scheduled.publish(call, { id: recordId(params), viewerId }), clients),
})
