import { type RemoteFileAddress, RemoteFilePurpose, type RemoteFilesDefinition } from '@rookery/contracts/media'
import type { Call, Client } from '@rookery/rpc'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'

/** A file of another server, and its purpose. */
export type RemoteFile = { url: string; purpose: RemoteFilePurpose }

/** The addresses of a remote file's copy on this server. Empty if it cannot have one. */
type AddressOf = (file: RemoteFile) => RemoteFileAddress

/** Gets the addresses of files of a domain's accounts; no call if there are none. @throws Failure unavailable */
export type RemoteFileAddresses = (
  call: Call,
  shown: { domain: string; files: readonly RemoteFile[]; isWantedSoon: boolean },
) => Promise<AddressOf>

const NONE: RemoteFileAddress = { url: '', staticUrl: '' }
const keyOf = ({ url, purpose }: RemoteFile) => `${purpose} ${url}`

/** Gets the addresses from the media service. */
export const remoteFileAddresses =
  (remoteFiles: Client<typeof RemoteFilesDefinition>): RemoteFileAddresses =>
  async (call, { domain, files, isWantedSoon }) => {
    const asked = [...new Map(files.filter(({ url }) => url !== '').map((file) => [keyOf(file), file])).values()]
    const { addresses } = asked.length === 0 ? { addresses: [] } : await remoteFiles.address(call, { domain, files: asked, isWantedSoon })
    const found = new Map(asked.map((file, index) => [keyOf(file), addresses[index] ?? NONE]))
    return (file) => found.get(keyOf(file)) ?? NONE
  }

const { ORIGINAL, PREVIEW, EMOJI } = RemoteFilePurpose

const isFilm = ({ type }: StoredAttachment) => type === 'video' || type === 'gifv'

/** The preview of a file: the remote one, the image itself, or a frame of a video; undefined if there is none. */
const previewOf = (attachment: StoredAttachment): RemoteFile | undefined => {
  const url = attachment.preview_url || (isFilm(attachment) ? attachment.url : '')
  return url ? { url, purpose: PREVIEW } : undefined
}

/** Files of unknown types are only linked: they are not copied. */
const isShown = ({ type }: StoredAttachment) => type !== 'unknown'

/** The files of a remote status that need addresses here. */
export const filesOf = ({
  attachments,
  emojis,
}: {
  attachments: readonly StoredAttachment[]
  emojis: readonly StoredEmoji[]
}): RemoteFile[] => [
  ...attachments.filter(isShown).flatMap((each) => [{ url: each.url, purpose: ORIGINAL }, previewOf(each) ?? []].flat()),
  ...filesOfEmojis(emojis),
]

/** The files of emojis. */
export const filesOfEmojis = (emojis: readonly StoredEmoji[]): RemoteFile[] => emojis.map(({ url }) => ({ url, purpose: EMOJI }))

/** A remote display copy with addresses of this server. */
export const withOwnAddresses =
  (addressOf: AddressOf) =>
  (attachment: StoredAttachment): StoredAttachment => {
    if (!isShown(attachment)) return attachment
    const preview = previewOf(attachment)
    const { url, preview_url } = attachment
    return {
      ...attachment,
      url: addressOf({ url, purpose: ORIGINAL }).url,
      preview_url: preview ? addressOf(preview).url : '',
      ...(preview_url && preview_url !== url ? { preview_remote_url: preview_url } : {}),
    }
  }

/** A remote emoji with addresses of this server. */
export const emojiWithOwnAddresses =
  (addressOf: AddressOf) =>
  (emoji: StoredEmoji): StoredEmoji => {
    const { url, staticUrl } = addressOf({ url: emoji.url, purpose: EMOJI })
    return { ...emoji, url, static_url: staticUrl }
  }
