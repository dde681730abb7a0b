import { anyOf, type Db, type Tx } from '@rookery/database'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'

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

  async describe(id: string, change: Pick<AttachmentRow, 'description' | 'focus_x' | 'focus_y'>): Promise<void> {
    await this.db.updateTable('attachment').set(change).where('id', '=', id).execute()
  }

  async claim(ids: readonly string[], claim: Pick<AttachmentRow, 'subject_id' | 'claimed_at' | 'expires_at'>): Promise<void> {
    await this.db.updateTable('attachment').set(claim).where('id', '=', anyOf(ids)).execute()
  }
}
