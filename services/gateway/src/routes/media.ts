import { setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from '@rookery/contracts/limits'
import { ProcessingState, type UploadedAttachment, UploadPurpose } from '@rookery/contracts/media'
import { mediaAttachmentEntity } from '@rookery/entities'
import { Failure, invalid, orNotFound, unavailable } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { z } from 'zod'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { type Context, endpoint, Reply } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { recordId } from './replies.ts'
import { focusOf, upload, uploadThumbnail } from './upload.ts'

const isPending = ({ state }: UploadedAttachment) => state === ProcessingState.PENDING

const entity = (uploaded: UploadedAttachment) => mediaAttachmentEntity(orNotFound(uploaded.attachment), { isPending: isPending(uploaded) })

/** Deadline for receiving and inspecting a file, in milliseconds: enough for 99 MB on their way to a bucket. */
const RECEIVED_WITHIN = 60_000
/** How long a client that asks for it waits for the processing, the polling interval, and the deadline of a call, in milliseconds. */
const MAX_WAIT = 30 * 60_000
const LOOKED_EVERY = 500
const CALL = 15_000

const withDeadline = (call: Call, milliseconds: number): Call => ({ ...call, deadline: Date.now() + milliseconds })

/** The failure for a file that could not be processed (spec, GET /api/v1/media/:id). */
const notProcessed = () => new Failure('invalid', 'Error processing thumbnail for uploaded media')

/** Waits until a file is processed. @throws Failure invalid if that fails */
const processed = async (
  call: Call,
  uploaded: UploadedAttachment,
  ownerId: string,
  { attachments }: Clients,
): Promise<UploadedAttachment> => {
  const end = Date.now() + MAX_WAIT
  let now = uploaded
  while (isPending(now) && Date.now() < end) {
    await pause(LOOKED_EVERY, undefined, { signal: call.signal }).catch(() => {
      throw unavailable('the caller has gone')
    })
    now = await attachments.read(withDeadline(call, CALL), { id: orNotFound(now.attachment).id, ownerId })
  }
  if (now.state === ProcessingState.FAILED) throw notProcessed()
  return now
}

const uploadInput = form({ description: text(), focus: text() })
type Upload = Context<z.output<typeof uploadInput>>

const receive = async (
  { call, files, input, viewerId: ownerId }: Upload,
  clients: Clients,
  { keepUnreadable }: { keepUnreadable: boolean },
) => {
  const file = files.get('file')
  if (!file) throw invalid("File can't be blank")
  const focus = focusOf(input.focus)
  const thumbnailId = await uploadThumbnail(call, { file: files.get('thumbnail'), ownerId }, clients)
  const description = input.description ?? ''
  const details = { ownerId, purpose: UploadPurpose.ATTACHMENT, description, focus, keepUnreadable, thumbnailId }
  return upload(withDeadline(call, RECEIVED_WITHIN), file, details, clients)
}

export const uploadMedia = endpoint({
  method: 'POST',
  path: '/api/v2/media',
  access: User('write:media'),
  summary: 'Uploads a file for a status, with the preview sent along if there is one; 202 while it is still being processed.',
  input: uploadInput,
  files: ['file', 'thumbnail'],
  fileBytes: LIMITS.media.motionBytes,
  limits: ['media'],
  handle: async (context, clients) => {
    const uploaded = await receive(context, clients, { keepUnreadable: false })
    return new Reply(entity(uploaded), { status: isPending(uploaded) ? 202 : 200 })
  },
})

export const uploadMediaV1 = endpoint({
  method: 'POST',
  path: '/api/v1/media',
  access: User('write:media'),
  summary: 'Uploads a file and waits until it is processed (deprecated).',
  input: uploadInput,
  files: ['file', 'thumbnail'],
  fileBytes: LIMITS.media.motionBytes,
  limits: ['media'],
  handle: async (context, clients) => {
    const uploaded = await receive(context, clients, { keepUnreadable: true })
    return entity(await processed(context.call, uploaded, context.viewerId, clients))
  },
})

export const readMedia = endpoint({
  method: 'GET',
  path: '/api/v1/media/:id',
  access: User('write:media'),
  summary: "One's own uploaded file; 206 while it is still being processed.",
  handle: async ({ call, params, viewerId }, { attachments }) => {
    const uploaded = await attachments.read(call, { id: recordId(params), ownerId: viewerId })
    if (uploaded.state === ProcessingState.FAILED) throw notProcessed()
    return new Reply(entity(uploaded), { status: isPending(uploaded) ? 206 : 200 })
  },
})

export const updateMedia = endpoint({
  method: 'PUT',
  path: '/api/v1/media/:id',
  access: User('write:media'),
  summary: "Describes one's own uploaded file, moves its focus or gives it another preview.",
  input: uploadInput,
  files: ['thumbnail'],
  handle: async ({ call, params, input, files, viewerId: ownerId }, clients) => {
    const id = recordId(params)
    const focus = focusOf(input.focus)
    const thumbnailId = await uploadThumbnail(call, { file: files.get('thumbnail'), ownerId, of: id }, clients)
    return entity(await clients.attachments.update(call, { id, ownerId, description: input.description, focus, thumbnailId }))
  },
})

export const removeMedia = endpoint({
  method: 'DELETE',
  path: '/api/v1/media/:id',
  access: User('write:media'),
  summary: "Deletes one's own uploaded file that no status shows, also while it is being processed.",
  handle: async ({ call, params, viewerId }, { attachments }) => {
    await attachments.remove(call, { id: recordId(params), ownerId: viewerId })
    return {}
  },
})
