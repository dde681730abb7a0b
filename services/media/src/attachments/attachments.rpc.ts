import {
  type AcceptedTypes,
  AttachmentsDefinition,
  type ReleaseRequest,
  type UploadHeader,
  type UploadPart,
} from '@rookery/contracts/media'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { Failure, unavailable } from '@rookery/failures'
import { acknowledging, type Call, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { type Addresses, attachmentMessage, uploadedMessage } from './attachment.message.ts'
import { claimAttachments } from './claim-attachments.ts'
import { readAttachment } from './read-attachment.ts'
import { removeAttachment } from './remove-attachment.ts'
import { type FileDiscarder, updateAttachment } from './update-attachment.ts'

/** Receives a file: its header is read, the bytes follow. */
export type Upload = (call: Call, header: UploadHeader, bytes: AsyncIterable<Uint8Array>) => Promise<AttachmentRow>

/** Frees the files of a deleted status. */
export type Release = (request: ReleaseRequest) => Promise<void>

type Deps = {
  database: Database<MediaTables>
  outbox: Outbox
  clock: Clock
  addresses: Addresses
  upload: Upload
  release: Release
  discard: FileDiscarder
  /** The types accepted for statuses, and their maximum size. */
  accepted: AcceptedTypes
}

/** @throws Failure unavailable when the sender disconnects */
const nextOf = (parts: AsyncIterator<UploadPart>) =>
  parts.next().catch((error: unknown) => {
    throw unavailable(error)
  })

async function* bytesOf(parts: AsyncIterator<UploadPart>): AsyncIterable<Uint8Array> {
  for (let next = await nextOf(parts); !next.done; next = await nextOf(parts)) {
    if (next.value.part?.$case !== 'chunk') throw new Failure('malformed', 'Only the first part of an upload may describe it')
    yield next.value.part.value
  }
}

/** Serves media.v1.Attachments. */
export const createAttachmentsRpc = (deps: Deps): Handler => {
  const { addresses } = deps
  const read = readAttachment(deps)
  const update = updateAttachment(deps)
  const remove = removeAttachment(deps)
  const claim = claimAttachments(deps)
  return handler(AttachmentsDefinition, {
    async upload(call, requests) {
      const parts = requests[Symbol.asyncIterator]()
      const first = await nextOf(parts)
      if (first.done || first.value.part?.$case !== 'header') {
        throw new Failure('malformed', 'The first part of an upload must describe it')
      }
      return uploadedMessage(await deps.upload(call, first.value.part.value, bytesOf(parts)), addresses)
    },
    read: async (_call, request) => uploadedMessage(await read(request), addresses),
    update: async (call, request) => uploadedMessage(await update(request, call.trace), addresses),
    remove: async (call, request) => {
      await remove(call, request)
      return {}
    },
    readAccepted: async () => deps.accepted,
    async claim(call, request) {
      const { attachments, changed } = await claim(request, call.trace)
      const messageOf = (row: AttachmentRow) => attachmentMessage(row, addresses)
      return { attachments: attachments.map(messageOf), changed: changed.map(messageOf) }
    },
    release: acknowledging(deps.release),
  })
}
