import type { Db, Tx } from '@rookery/database'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'

/** The columns that processing determines. */
export type Processed = Pick<AttachmentRow, 'type' | 'width' | 'height' | 'originalBytes' | 'motion'>

/** A file whose processing was started. */
export type Begun = Pick<AttachmentRow, 'id' | 'ownerId' | 'type' | 'originalKey' | 'sourceKey' | 'blurhash' | 'tries'>

const BEGUN = ['id', 'ownerId', 'type', 'originalKey', 'sourceKey', 'blurhash', 'tries'] as const

/** The keys of a record's files. */
export type Keys = Pick<AttachmentRow, 'originalKey' | 'previewKey' | 'sourceKey'>
const KEYS = ['originalKey', 'previewKey', 'sourceKey'] as const

/** Rows per statement: a large backlog is handled in batches. */
const AT_A_TIME = 500

export class MotionReader {
  protected readonly db: Db<MediaTables> | Tx<MediaTables>

  constructor(db: Db<MediaTables> | Tx<MediaTables>) {
    this.db = db
  }

  /** Whether a file is still to be processed: it was neither deleted nor failed. */
  async isPending(id: string): Promise<boolean> {
    const query = this.db.selectFrom('attachment').select('id').where('id', '=', id).where('state', '=', 'pending')
    return (await query.executeTakeFirst()) !== undefined
  }
}

export class MotionWriter extends MotionReader {
  constructor(tx: Tx<MediaTables>) {
    super(tx)
  }

  /** Sets the deadline of a file's processing. */
  async queue(id: string, endsAt: Date): Promise<void> {
    await this.db.updateTable('attachment').set({ processingEndsAt: endsAt }).where('id', '=', id).execute()
  }

  /** Starts an attempt; undefined if the file is gone, done or failed. */
  async begin(id: string, endsAt: Date): Promise<Begun | undefined> {
    const query = this.db
      .updateTable('attachment')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1), processingEndsAt: endsAt }))
      .where('id', '=', id)
      .where('state', '=', 'pending')
    return query.returning(BEGUN).executeTakeFirst()
  }

  /** Does not count an attempt that ended through no fault of the file. */
  async forgetTry(id: string): Promise<void> {
    const query = this.db.updateTable('attachment').set(({ eb }) => ({ tries: eb('tries', '-', 1) }))
    await query.where('id', '=', id).where('state', '=', 'pending').where('tries', '>', 0).execute()
  }

  /** Marks a file as done; false if it is gone or has failed meanwhile. */
  async finish(id: string, processed: Processed): Promise<boolean> {
    const query = this.db.updateTable('attachment').set({ ...processed, state: 'done', sourceKey: null, processingEndsAt: null })
    return (await query.where('id', '=', id).where('state', '=', 'pending').returning('id').executeTakeFirst()) !== undefined
  }

  /**
   * Marks a file as failed; `asUnknown` keeps it as unknown type, which may still be attached. Returns the keys of its files, or undefined
   * where `finish` returns false.
   */
  async fail(id: string, { asUnknown }: { asUnknown: boolean }): Promise<Keys | undefined> {
    const found = this.db.selectFrom('attachment').select(KEYS).where('id', '=', id).where('state', '=', 'pending').forUpdate()
    const keys = await found.executeTakeFirst()
    if (!keys) return undefined
    const nothing = { originalKey: null, previewKey: null, sourceKey: null, blurhash: null, motion: null, processingEndsAt: null }
    const size = { width: null, height: null, previewWidth: null, previewHeight: null, originalBytes: null, previewBytes: null }
    const ended = asUnknown ? { type: 'unknown' as const, state: 'done' as const } : { state: 'failed' as const }
    await this.db
      .updateTable('attachment')
      .set({ ...nothing, ...size, ...ended })
      .where('id', '=', id)
      .execute()
    return keys
  }

  /** Files past their deadline, locked until the transaction ends. */
  async overdue(now: Date): Promise<Begun[]> {
    const query = this.db.selectFrom('attachment').select(BEGUN)
    return query
      .where('processingEndsAt', '<=', now)
      .where('state', '=', 'pending')
      .orderBy('processingEndsAt')
      .limit(AT_A_TIME)
      .forUpdate()
      .skipLocked()
      .execute()
  }
}
