import { anyOf, type Db, type Tx } from '@rookery/database'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'

/** What an owner may change of a record. */
export type Change = Pick<AttachmentRow, 'description' | 'focus_x' | 'focus_y' | 'described_at'> & Partial<Preview>

/** What a file is shown small as. */
export type Preview = Pick<AttachmentRow, 'preview_key' | 'preview_width' | 'preview_height' | 'blurhash'>

const COLUMNS = [
  'id',
  'owner_id',
  'purpose',
  'type',
  'state',
  'original_key',
  'preview_key',
  'width',
  'height',
  'preview_width',
  'preview_height',
  'blurhash',
  'description',
  'focus_x',
  'focus_y',
  'created_at',
  'described_at',
  'subject_id',
  'claimed_at',
  'expires_at',
] as const

export class AttachmentReader {
  protected readonly db: Db<MediaTables> | Tx<MediaTables>

  constructor(db: Db<MediaTables> | Tx<MediaTables>) {
    this.db = db
  }

  async find(id: string, ownerId: string): Promise<AttachmentRow | undefined> {
    const query = this.db.selectFrom('attachment').select(COLUMNS)
    return query.where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst()
  }
}

export class AttachmentWriter extends AttachmentReader {
  constructor(tx: Tx<MediaTables>) {
    super(tx)
  }

  /** The owner's records of these ids, kept from others until the transaction ends; the lowest first, so that claims cannot deadlock. */
  async lock(ids: readonly string[], ownerId: string): Promise<AttachmentRow[]> {
    const query = this.db.selectFrom('attachment').select(COLUMNS)
    return query.where('id', '=', anyOf(ids)).where('owner_id', '=', ownerId).orderBy('id').forUpdate().execute()
  }

  async describe(id: string, change: Change): Promise<void> {
    await this.db.updateTable('attachment').set(change).where('id', '=', id).execute()
  }

  /** Takes out the record of the owner's thumbnail; its file, which from now on is the preview of another record, stays. */
  async takeThumbnail(id: string, ownerId: string): Promise<Preview | undefined> {
    const query = this.db.deleteFrom('attachment').where('id', '=', id).where('owner_id', '=', ownerId)
    return query
      .where('purpose', '=', 'thumbnail')
      .where('state', '=', 'done')
      .returning(['original_key as preview_key', 'width as preview_width', 'height as preview_height', 'blurhash'])
      .executeTakeFirst()
  }

  async claim(ids: readonly string[], claim: Pick<AttachmentRow, 'subject_id' | 'claimed_at' | 'expires_at'>): Promise<void> {
    await this.db.updateTable('attachment').set(claim).where('id', '=', anyOf(ids)).execute()
  }
}
