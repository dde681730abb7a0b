import { BATCHES } from '@rookery/contracts/limits'
import { Visibility } from '@rookery/contracts/statuses'
import { scheduledStatusJson } from '@rookery/entities'
import { Failure, invalid, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { z } from 'zod'
import type { Clients } from '../clients.ts'
import { SingleStatus, User } from '../http/access.ts'
import { type Context, endpoint, Reply } from '../http/endpoint.ts'
import { flag, form, givenTexts, hash, id, text, textList } from '../http/fields.ts'
import { refreshThread } from '../refresh-thread.ts'
import { resolveMentions } from '../resolve-mentions.ts'
import { pollDraft } from './poll-draft.ts'
import { quotePolicyOf } from './quotes.ts'
import { recordId, statusReply } from './replies.ts'
import { scheduledAt } from './scheduled-at.ts'

const VISIBILITIES: ReadonlyMap<string, Visibility> = new Map([
  ['public', Visibility.PUBLIC],
  ['unlisted', Visibility.UNLISTED],
  ['private', Visibility.PRIVATE],
  ['direct', Visibility.DIRECT],
])

/** A visibility by the API's word; unspecified if absent. @throws Failure invalid */
export const visibilityOf = (word: string | undefined): Visibility => {
  if (!word) return Visibility.UNSPECIFIED
  const visibility = VISIBILITIES.get(word)
  if (visibility === undefined) throw invalid('Visibility is not included in the list')
  return visibility
}

/** Maximum characters of an invalid id in an error message. */
const LONGEST_SHOWN = 40

/** @throws Failure invalid for invalid ids of files */
export const mediaIds = (ids: readonly string[]): string[] => {
  const wrong = ids.filter((each) => !isId(each))
  if (wrong.length > 0) {
    const shown = wrong.map((each) => each.slice(0, LONGEST_SHOWN)).join(', ')
    throw new Failure('invalid', `Media ${shown} not found or already attached to another post`)
  }
  return [...new Set(ids)]
}

/** The answer when a status mentions accounts that are not allowed: the refusal, with these accounts. @throws all other errors */
const unexpectedMentions = async (error: unknown, call: Call, { views, render }: Clients): Promise<Reply> => {
  const ids = error instanceof Failure ? error.violations.filter(({ field }) => field === 'unexpected_accounts') : []
  if (!(error instanceof Failure) || ids.length === 0) throw error
  const { accounts } = await views.readAccounts(call, { ids: ids.map(({ description }) => description) })
  const head = JSON.stringify({ error: error.message }).slice(0, -1)
  return new Reply(Buffer.concat([Buffer.from(`${head},"unexpected_accounts":`), render.accounts(accounts), Buffer.from('}')]), {
    status: 422,
  })
}

const posting = form({
  status: text(),
  spoiler_text: text(),
  sensitive: flag(),
  visibility: text(),
  language: text(),
  in_reply_to_id: id('in_reply_to_id'),
  allowed_mentions: givenTexts(),
  quoted_status_id: id('quoted_status_id'),
  quote_approval_policy: text(),
  media_ids: textList(),
  poll: hash(),
  scheduled_at: text(),
  draft: flag(),
})

type Posting = z.output<typeof posting>
type Author = Pick<Context<never>, 'viewerId' | 'holder' | 'idempotencyKey'>

/** The draft of a request. @throws Failure invalid */
const draftOf = (input: Posting, { viewerId, holder, idempotencyKey }: Author) => ({
  authorId: viewerId,
  text: input.status ?? '',
  spoilerText: input.spoiler_text ?? '',
  sensitive: input.sensitive,
  visibility: visibilityOf(input.visibility),
  language: input.language ?? '',
  inReplyToId: input.in_reply_to_id ?? '',
  quotedStatusId: input.quoted_status_id ?? '',
  quotePolicy: quotePolicyOf(input.quote_approval_policy),
  mediaIds: mediaIds(input.media_ids),
  allowedMentions: input.allowed_mentions && { accountIds: input.allowed_mentions },
  idempotencyKey,
  poll: pollDraft(input.poll),
  application: holder?.appName ? { name: holder.appName, website: holder.appWebsite } : undefined,
})

type Draft = ReturnType<typeof draftOf>

/** Stores a status for later, or as a draft; one that is due so soon that it is published at once is answered as a status. */
const schedule = async (
  call: Call,
  { input, status, holder }: { input: Posting; status: Draft } & Pick<Author, 'holder'>,
  clients: Clients,
) => {
  const scheduledAtMilliseconds = input.draft ? undefined : scheduledAt(input.scheduled_at)
  const applicationId = holder ? String(holder.appNumber || holder.appId) : ''
  const { scheduled, published } = await clients.scheduled.schedule(call, { status, scheduledAtMilliseconds, applicationId })
  return published ? statusReply(published, clients) : scheduledStatusJson(orNotFound(scheduled))
}

/** Publishes a status; a repeat of a request that scheduled one is answered with the scheduled status. */
const publish = async (call: Call, status: Draft, clients: Clients) => {
  const page = await clients.statuses.publish(call, status)
  if (page.items.length > 0) return statusReply(page, clients)
  const { authorId: viewerId, idempotencyKey } = status
  return scheduledStatusJson(await clients.scheduled.readByKey(call, { viewerId, idempotencyKey }))
}

export const publishStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses',
  access: User('write:statuses'),
  summary:
    'Publishes a status, schedules it at scheduled_at, or with draft=true stores it as a draft. A repeat of the Idempotency-Key within an hour returns the same status.',
  input: posting,
  answersRepeats: true,
  handle: async ({ call, input, viewerId, holder, idempotencyKey }, clients) => {
    const status = draftOf(input, { viewerId, holder, idempotencyKey })
    await resolveMentions(call, { text: status.text, viewerId }, clients)
    const isLater = input.draft || input.scheduled_at
    const made = isLater ? schedule(call, { input, status, holder }, clients) : publish(call, status, clients)
    return made.catch((error: unknown) => unexpectedMentions(error, call, clients))
  },
})

export const readStatus = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id',
  access: SingleStatus,
  summary: 'A status.',
  handle: async ({ call, params, viewerId }, clients) =>
    statusReply(await clients.statuses.read(call, { id: recordId(params), viewerId }), clients),
})

export const readStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/statuses',
  access: SingleStatus,
  summary: 'Several statuses; those the viewer may not see are left out.',
  input: form({ id: textList() }),
  handle: async ({ call, input, viewerId }, { views, render }) => {
    if (input.id.length > BATCHES.statuses) throw invalid(`No more than ${BATCHES.statuses} statuses can be asked for at once`)
    return render.statuses(await views.readStatuses(call, { ids: [...new Set(input.id.filter(isId))], viewerId }))
  },
})

export const deleteStatus = endpoint({
  method: 'DELETE',
  path: '/api/v1/statuses/:id',
  access: User('write:statuses'),
  summary: "Deletes one's own status and gives its plain text for posting again.",
  input: form({ delete_media: flag() }),
  limits: ['deletions'],
  handle: async ({ call, params, input, viewerId }, clients) => {
    const request = { id: recordId(params), viewerId, deleteMedia: input.delete_media }
    const { page, text: source, isOrphan } = await clients.statuses.delete(call, request)
    const status = JSON.parse(statusReply(page!, clients).toString())
    // Apps post this again, and a reply to a deleted status would be refused.
    return { ...status, ...(isOrphan && { in_reply_to_id: null }), text: source }
  },
})

export const readContext = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/context',
  access: SingleStatus,
  summary: 'The thread around a status.',
  handle: async ({ call, params, viewerId }, { statuses, resolver, render }) => {
    const { page, ancestorIds, descendantIds, originUri } = await statuses.readContext(call, { id: recordId(params), viewerId })
    await refreshThread(call, { originUri, viewerId }, { resolver })
    return render.context(page!, { ancestorIds, descendantIds })
  },
})
