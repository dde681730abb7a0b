import { type AttachmentsDefinition, UploadPurpose } from '@rookery/contracts/media'
import type { Attachment } from '@rookery/contracts/statuses'
import { Failure } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Call, Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import { FetchError, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import { pictureParts } from '../attachments/index.ts'

type Deps = { fetchGuarded: GuardedFetch; attachments: Client<typeof AttachmentsDefinition>; ids: Ids }

/** Our copy of an image, and the subject it is claimed for. */
export type KeptPicture = { attachment: Attachment; subjectId: string }

const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'application/octet-stream', 'binary/octet-stream']
const MAX_BYTES = 8 * 1024 * 1024
const SECONDS_TO_STORE = 30

/**
 * Fetches the image of a page and stores a copy, claimed for a subject of its own: it expires unless an event soon confirms that subject. Undefined
 * if it is not a displayable image.
 */
export const pictureKeeper = ({ fetchGuarded, attachments, ids }: Deps) => {
  const ask = async (url: string): Promise<Buffer | undefined> => {
    try {
      const { status, body } = await fetchGuarded({ url, accept: TYPES, maxBytes: MAX_BYTES })
      return status === 200 && body.length > 0 ? body : undefined
    } catch (error) {
      if (error instanceof FetchError) return undefined
      throw error
    }
  }

  const upload = async (call: Call, ownerId: string, picture: Buffer) => {
    try {
      return (await attachments.upload(call, pictureParts({ ownerId, fileName: '', purpose: UploadPurpose.PREVIEW }, picture))).attachment
    } catch (error) {
      if (error instanceof Failure && error.kind === 'invalid') return undefined
      throw error
    }
  }

  return async (url: string): Promise<KeptPicture | undefined> => {
    const picture = await ask(url)
    if (!picture) return undefined
    const call = callWithin(SECONDS_TO_STORE)
    const [ownerId, subjectId] = [ids.next(), ids.next()]
    const attachment = await upload(call, ownerId, picture)
    if (!attachment) return undefined
    await attachments.claim(call, { ownerId, ids: [attachment.id], subjectId })
    return { attachment, subjectId }
  }
}
