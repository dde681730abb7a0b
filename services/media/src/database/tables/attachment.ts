import type { Generated, Selectable } from 'kysely'

/** What is said of a film or a recording beside its size. */
export type MotionMetadata = {
  /** Seconds. */
  readonly duration: number
  /** Bits a second. */
  readonly bitrate: number
  /** Frames a second, as a fraction; empty of sound alone. */
  readonly frameRate: string
  /** Codec, samples a second and channels of its sound; empty without. */
  readonly audioEncode: string
  readonly audioBitrate: string
  readonly audioChannels: string
  /** In which a player of sound is painted, as #rrggbb. */
  readonly colors?: PlayerColors
}
export type PlayerColors = { readonly background: string; readonly foreground: string; readonly accent: string }

/** An uploaded file. What it is for decides its sizes. */
export type AttachmentTable = {
  id: string
  ownerId: string
  purpose: 'attachment' | 'avatar' | 'header' | 'emoji' | 'preview' | 'thumbnail'
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  /** Pending until its files are in the storage and processed: a process that died in between leaves nothing but a row that expires. */
  state: 'pending' | 'done' | 'failed'
  originalKey: string | null
  /** What was uploaded, as it came, of what is processed later; null once it is. */
  sourceKey: string | null
  /** Null where the original serves as its own preview, and of sound without a picture. */
  previewKey: string | null
  width: number | null
  height: number | null
  previewWidth: number | null
  previewHeight: number | null
  /** Bytes of the original and of the preview; null where there is none, and of what was kept before sizes were noted. */
  originalBytes: number | null
  previewBytes: number | null
  blurhash: string | null
  motion: MotionMetadata | null
  /** How often its processing was begun. */
  tries: Generated<number>
  /** When its processing has failed if it has not ended; null when nothing is processed. */
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
  /** When it is deleted unless something happens before; null while its subject is known to exist. */
  expiresAt: Date | null
}

export type AttachmentRow = Selectable<AttachmentTable>
