import type { Selectable } from 'kysely'

/** A file somebody uploaded. What it is for decides its sizes. */
export type AttachmentTable = {
  id: string
  owner_id: string
  purpose: 'attachment' | 'avatar' | 'header' | 'emoji' | 'preview' | 'thumbnail'
  type: 'image' | 'unknown'
  /** Pending until its files are in the storage: a process that died in between leaves nothing but a row that expires. */
  state: 'pending' | 'done'
  original_key: string | null
  /** Null where the original serves as its own preview. */
  preview_key: string | null
  width: number | null
  height: number | null
  preview_width: number | null
  preview_height: number | null
  blurhash: string | null
  description: string
  focus_x: number | null
  focus_y: number | null
  created_at: Date
  /** When its owner last changed its description, focus or preview. */
  described_at: Date | null
  /** The status or account that shows it. */
  subject_id: string | null
  claimed_at: Date | null
  /** When it is deleted unless something happens before; null while its subject is known to exist. */
  expires_at: Date | null
}

export type AttachmentRow = Selectable<AttachmentTable>
