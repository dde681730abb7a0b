import type { Selectable } from 'kysely'

/** A file somebody uploaded. What it is for decides its sizes. */
export type AttachmentTable = {
  id: string
  ownerId: string
  purpose: 'attachment' | 'avatar' | 'header' | 'emoji' | 'preview' | 'thumbnail'
  type: 'image' | 'unknown'
  /** Pending until its files are in the storage: a process that died in between leaves nothing but a row that expires. */
  state: 'pending' | 'done'
  originalKey: string | null
  /** Null where the original serves as its own preview. */
  previewKey: string | null
  width: number | null
  height: number | null
  previewWidth: number | null
  previewHeight: number | null
  blurhash: string | null
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
