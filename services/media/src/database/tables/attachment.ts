import type { Generated, Selectable } from 'kysely'

/** Metadata of a video or audio file besides its size. */
export type MotionMetadata = {
  /** In seconds. */
  readonly duration: number
  /** In bits per second. */
  readonly bitrate: number
  /** Frames per second, as a fraction; empty for audio. */
  readonly frameRate: string
  /** Codec, sample rate and channels of the audio; empty without audio. */
  readonly audioEncode: string
  readonly audioBitrate: string
  readonly audioChannels: string
  /** The colours of the audio player, as #rrggbb. */
  readonly colors?: PlayerColors
}
export type PlayerColors = { readonly background: string; readonly foreground: string; readonly accent: string }

/** An uploaded file. Its purpose determines its sizes. */
export type AttachmentTable = {
  id: string
  ownerId: string
  purpose: 'attachment' | 'avatar' | 'header' | 'emoji' | 'preview' | 'thumbnail'
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  /** Pending until its files are stored and processed: a process that dies in between leaves only a row that expires. */
  state: 'pending' | 'done' | 'failed'
  originalKey: string | null
  /** The uploaded file, if it is processed later; null once it is processed. */
  sourceKey: string | null
  /** Null if the original is its own preview, and for audio without a cover. */
  previewKey: string | null
  width: number | null
  height: number | null
  previewWidth: number | null
  previewHeight: number | null
  /** Bytes of the original and of the preview; null if there is none, or if it was stored before sizes were recorded. */
  originalBytes: number | null
  previewBytes: number | null
  blurhash: string | null
  motion: MotionMetadata | null
  /** How often its processing was started. */
  tries: Generated<number>
  /** The deadline of its processing; null if it is not being processed. */
  processingEndsAt: Date | null
  description: string
  focusX: number | null
  focusY: number | null
  createdAt: Date
  /** When its owner last changed its description, focus or preview. */
  describedAt: Date | null
  /** The status or account that shows it. */
  subjectId: string | null
  claimedAt: Date | null
  /** When it is deleted; null while its subject is confirmed. */
  expiresAt: Date | null
}

export type AttachmentRow = Selectable<AttachmentTable>
