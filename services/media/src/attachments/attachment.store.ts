import { anyOf, type Db, onceFound, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'

/** The columns that an owner may change. */
export type Change = Pick<AttachmentRow, 'description' | 'focusX' | 'focusY' | 'describedAt'> & Partial<Preview>

/** The columns of a preview. */
export type Preview = Pick<AttachmentRow, 'previewKey' | 'previewWidth' | 'previewHeight' | 'previewBytes' | 'blurhash'>

const COLUMNS = [
  'id',
  'ownerId',
  'purpose',
  'type',
  'state',
  'originalKey',
  'sourceKey',
  'previewKey',
  'width',
  'height',
  'previewWidth',
  'previewHeight',
  'originalBytes',
  'previewBytes',
  'blurhash',
  'motion',
  'tries',
  'processingEndsAt',
  'description',
  'focusX',
  'focusY',
  'createdAt',
  'describedAt',
  'subjectId',
  'claimedAt',
  'expiresAt',
] as const

export class AttachmentReader {
  protected readonly db: Db<MediaTables> | Tx<MediaTables>

  constructor(db: Db<MediaTables> | Tx<MediaTables>) {
    this.db = db
  }

  async find(id: string, ownerId: string): Promise<AttachmentRow | undefined> {
    const query = this.db.selectFrom('attachment').select(COLUMNS)
    return query.where('id', '=', id).where('ownerId', '=', ownerId).executeTakeFirst()
  }
}

export class AttachmentWriter extends AttachmentReader {
  constructor(tx: Tx<MediaTables>) {
    super(tx)
  }

  /** Locks the owner's records until the transaction ends, in the order of their ids, so that claims cannot deadlock. */
  async lock(ids: readonly string[], ownerId: string): Promise<AttachmentRow[]> {
    const query = this.db.selectFrom('attachment').select(COLUMNS)
    return query
      .where('id', '=', anyOf(ids))
      .where(onceFound(sql`owner_id = ${ownerId}`))
      .orderBy('id')
      .forUpdate()
      .execute()
  }

  async describe(id: string, change: Change): Promise<void> {
    await this.db.updateTable('attachment').set(change).where('id', '=', id).execute()
  }

  /** Deletes the record of the owner's thumbnail; its file stays, as the preview of another record. */
  async takeThumbnail(id: string, ownerId: string): Promise<Preview | undefined> {
    const query = this.db.deleteFrom('attachment').where('id', '=', id).where('ownerId', '=', ownerId)
    return query
      .where('purpose', '=', 'thumbnail')
      .where('state', '=', 'done')
      .returning([
        'originalKey as previewKey',
        'width as previewWidth',
        'height as previewHeight',
        'originalBytes as previewBytes',
        'blurhash',
      ])
      .executeTakeFirst()
  }

  async remove(id: string): Promise<void> {
    await this.db.deleteFrom('attachment').where('id', '=', id).execute()
  }

  async claim(ids: readonly string[], claim: Pick<AttachmentRow, 'subjectId' | 'claimedAt' | 'expiresAt'>): Promise<void> {
    await this.db.updateTable('attachment').set(claim).where('id', '=', anyOf(ids)).execute()
  }
}
