import { ProcessingState, type UploadedAttachment, UploadPurpose } from '@rookery/contracts/media'
import { mediaAttachmentEntity } from '@rookery/entities'
import { Failure, invalid, orNotFound } from '@rookery/failures'
import type { z } from 'zod'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { type Context, endpoint, Reply } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { recordId } from './replies.ts'
import { focusOf, upload } from './upload.ts'

const isPending = ({ state }: UploadedAttachment) => state === ProcessingState.PENDING

const entity = (uploaded: UploadedAttachment) => mediaAttachmentEntity(orNotFound(uploaded.attachment), { isPending: isPending(uploaded) })

const uploadInput = form({ description: text(), focus: text() })
type Upload = Context<z.output<typeof uploadInput>>

const receive = (context: Upload, clients: Clients, { keepUnreadable }: { keepUnreadable: boolean }) => {
  const file = context.files.get('file')
  if (!file) throw invalid("File can't be blank")
  return upload(
    context.call,
    file,
    {
      ownerId: context.viewerId,
      purpose: UploadPurpose.ATTACHMENT,
      description: context.input.description ?? '',
      focus: focusOf(context.input.focus),
      keepUnreadable,
    },
    clients,
  )
}

export const uploadMedia = endpoint({
  method: 'POST',
  path: '/api/v2/media',
  access: User('write:media'),
  summary: 'Uploads a file for a status; 202 while it is still being processed.',
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
  summary: "Describes one's own uploaded file or moves its focus.",
  input: uploadInput,
  files: ['thumbnail'],
  handle: async ({ call, params, input, viewerId }, { attachments }) =>
    entity(
      await attachments.update(call, {
        id: recordId(params),
        ownerId: viewerId,
        description: input.description,
        focus: focusOf(input.focus),
      }),
    ),
})
