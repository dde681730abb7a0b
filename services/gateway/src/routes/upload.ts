import { type UploadedAttachment, UploadPurpose } from '@rookery/contracts/media'
import { Failure, invalid, orNotFound } from '@rookery/failures'
import { readChunks } from '@rookery/handles'
import type { UploadedFile } from '@rookery/http'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'

/** Bytes per message to media. */
const PART = 256 * 1024

/** The metadata of an uploaded file. */
type UploadDetails = {
  ownerId: string
  purpose: UploadPurpose
  description: string
  focus: { x: number; y: number } | undefined
  /** Whether to store an unreadable file as type unknown instead of refusing it. */
  keepUnreadable?: boolean
  /** The thumbnail that becomes its preview. */
  thumbnailId?: string | undefined
  /** For a thumbnail: the attachment it is for, if that exists already. */
  thumbnailOf?: string | undefined
}

/** Streams a file to media. @throws Failure invalid for refused files */
export const upload = (call: Call, file: UploadedFile, details: UploadDetails, { attachments }: Clients): Promise<UploadedAttachment> => {
  const parts = async function* () {
    yield {
      part: {
        $case: 'header' as const,
        value: {
          ownerId: details.ownerId,
          contentType: file.contentType,
          fileName: file.name,
          description: details.description,
          focus: details.focus,
          purpose: details.purpose,
          keepUnreadable: details.keepUnreadable ?? false,
          thumbnailId: details.thumbnailId,
          thumbnailOf: details.thumbnailOf,
        },
      },
    }
    for await (const chunk of readChunks(file.path, { size: PART })) yield { part: { $case: 'chunk' as const, value: chunk } }
  }
  return attachments.upload(call, parts())
}

/** The failure of a file as that of its parameter, with `details` (beyond-the-spec 2.2). */
const ofParameter = ({ message }: Failure, field: string) => {
  const description = message.replace('Validation failed: ', '')
  return new Failure('invalid', message, { violations: [{ field, code: 'ERR_INVALID', description }] })
}

/** Stores a profile picture; resolves to its id. @throws Failure invalid */
export const uploadPicture = async (
  call: Call,
  { file, ownerId, kind }: { file: UploadedFile; ownerId: string; kind: 'avatar' | 'header' },
  clients: Clients,
): Promise<string> => {
  const purpose = kind === 'avatar' ? UploadPurpose.AVATAR : UploadPurpose.HEADER
  const details = { ownerId, purpose, description: '', focus: undefined }
  const { attachment } = await upload(call, file, details, clients).catch((error: unknown) => {
    throw error instanceof Failure && error.kind === 'invalid' ? ofParameter(error, kind) : error
  })
  if (!attachment) throw new Failure('broken', 'Error processing thumbnail for uploaded media')
  return attachment.id
}

/**
 * Stores a thumbnail for an attachment; resolves to its id, or undefined without a file. The attachment is new unless `of` is given.
 * @throws Failure invalid, not_found if `of` is not an attachment of the owner, broken for an unreadable thumbnail of a new one
 */
export const uploadThumbnail = async (
  call: Call,
  { file, ownerId, of }: { file: UploadedFile | undefined; ownerId: string; of?: string },
  clients: Clients,
): Promise<string | undefined> => {
  if (!file) return undefined
  const details = { ownerId, purpose: UploadPurpose.THUMBNAIL, description: '', focus: undefined, thumbnailOf: of }
  const { attachment } = await upload(call, file, details, clients).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.kind !== 'invalid') throw error
    throw new Failure('invalid', error.message.replaceAll('File', 'Thumbnail'), { cause: error })
  })
  return orNotFound(attachment).id
}

/** Parses a focus, `x,y`; undefined if absent. @throws Failure invalid outside -1 to 1 (spec, Other constants 5) */
export const focusOf = (typed: string | undefined): { x: number; y: number } | undefined => {
  if (!typed) return undefined
  const [x, y, ...rest] = typed.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const isWithin = (value: number | undefined): value is number => value !== undefined && value >= -1 && value <= 1
  if (rest.length > 0 || !isWithin(x) || !isWithin(y)) throw invalid('Focus must be two numbers from -1.0 to 1.0')
  return { x, y }
}
