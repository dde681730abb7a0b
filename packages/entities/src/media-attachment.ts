import type { Attachment, Dimensions, Motion } from '@rookery/contracts/statuses'

const size = ({ width, height }: Dimensions) => ({ width, height, size: `${width}x${height}`, aspect: height ? width / height : 0 })

/** Formats seconds as 0:01:28.65. */
const lengthOf = (seconds: number): string => {
  const hundredths = Math.round(seconds * 100)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${Math.floor(hundredths / 360_000)}:${two(Math.floor(hundredths / 6000) % 60)}:${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`
}

/** Frames per second of a rate like 30000/1001, rounded: clients with strict types fail on a page with 29.97. */
const framesOf = (rate: string): number => {
  const [frames = 0, seconds = 1] = rate.split('/').map(Number)
  return Math.round(frames / (seconds || 1))
}

/** The keys of `meta` on the whole of a video or audio, as older clients read them. */
const wholeMeta = ({ duration, frameRate, audioEncode, audioBitrate, audioChannels, colors }: Motion) => ({
  length: lengthOf(duration),
  duration,
  ...(frameRate ? { fps: framesOf(frameRate) } : {}),
  ...(audioEncode ? { audio_encode: audioEncode, audio_bitrate: audioBitrate, audio_channels: audioChannels } : {}),
  ...(colors ? { colors: { background: colors.background, foreground: colors.foreground, accent: colors.accent } } : {}),
})

const originalMeta = ({ duration, frameRate, bitrate }: Motion) => ({
  ...(frameRate ? { frame_rate: frameRate } : {}),
  duration,
  bitrate,
})

const metaOf = ({ focus, original, small, motion }: Attachment) => ({
  ...(focus ? { focus: { x: focus.x, y: focus.y } } : {}),
  ...(motion ? wholeMeta(motion) : {}),
  ...(motion && original ? size(original) : {}),
  ...(original || motion ? { original: { ...(original ? size(original) : {}), ...(motion ? originalMeta(motion) : {}) } } : {}),
  ...(small ? { small: size(small) } : {}),
})

/** MediaAttachment (spec, Resources; beyond-the-spec 1.1). `isPending` hides the URL of a file that is still being processed. */
export const mediaAttachmentEntity = (attachment: Attachment, { isPending = false } = {}) => ({
  id: attachment.id,
  type: attachment.type,
  url: isPending ? null : attachment.url || null,
  preview_url: attachment.previewUrl || null,
  remote_url: attachment.remoteUrl || null,
  preview_remote_url: attachment.previewRemoteUrl || null,
  text_url: null,
  meta: metaOf(attachment),
  description: attachment.description || null,
  blurhash: attachment.blurhash || null,
})

/** A file of a server whose media are rejected: only its remote URL. */
export const rejectedAttachmentEntity = (attachment: Attachment) => ({
  ...mediaAttachmentEntity({ ...attachment, type: 'unknown', url: '', previewUrl: '' }),
  remote_url: attachment.remoteUrl || attachment.url || null,
})
