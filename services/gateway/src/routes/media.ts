import { ProcessingState, type UploadedAttachment, UploadPurpose } from '@rookery/contracts/media'
import { mediaAttachmentEntity } from '@rookery/entities'
import { Failure, invalid, orNotFound } from '@rookery/failures'
import type { z } from 'zod'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { type Context, endpoint, Reply } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { recordId } from './replies.ts'
import { focusOf, upload, uploadThumbnail } from './upload.ts'

const isPending = ({ state }: UploadedAttachment) => state === ProcessingState.PENDING

const entity = (uploaded: UploadedAttachment) => mediaAttachmentEntity(orNotFound(uploaded.attachment), { isPending: isPending(uploaded) })

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
  return upload(call, file, { ownerId, purpose: UploadPurpose.ATTACHMENT, description, focus, keepUnreadable, thumbnailId }, clients)
}

export const uploadMedia = endpoint({
  method: 'POST',
  path: '/api/v2/media',
  access: User('write:media'),
  summary: 'Uploads a file for a status, with the preview sent along if there is one; 202 while it is still being processed.',
  input: uploadInput,
  files: ['file', 'thumbnail'],
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
  limits: ['media'],
  handle: async (context, clients) => entity(await receive(context, clients, { keepUnreadable: true })),
})

export const readMedia = endpoint({
  method: 'GET',
  path: '/api/v1/media/:id',
  access: User('write:media'),
  summary: "One's own uploaded file; 206 while it is still being processed.",
  handle: async ({ call, params, viewerId }, { attachments }) => {
    const uploaded = await attachments.read(call, { id: recordId(params), ownerId: viewerId })
    if (uploaded.state === ProcessingState.FAILED) throw new Failure('invalid', 'Error processing thumbnail for uploaded media')
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
