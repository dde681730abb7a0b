import type { UploadPurpose } from '@rookery/contracts/media'

/** Bytes per upload message. */
const PART = 64 * 1024

/** An image uploaded by this server, as the messages of an upload. */
export async function* pictureParts(given: { ownerId: string; fileName: string; purpose: UploadPurpose }, picture: Uint8Array) {
  const header = { ...given, contentType: '', description: '', keepUnreadable: false, focus: undefined }
  yield { part: { $case: 'header' as const, value: header } }
  for (let at = 0; at < picture.length; at += PART) {
    yield { part: { $case: 'chunk' as const, value: Buffer.from(picture.subarray(at, at + PART)) } }
  }
}
