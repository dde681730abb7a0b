import type { Db, Tx } from '@rookery/database'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'

/** What is known of a file once it is processed. */
export type Processed = Pick<AttachmentRow, 'type' | 'width' | 'height' | 'originalBytes' | 'motion'>

/** A file whose processing was begun. */
export type Begun = Pick<AttachmentRow, 'id' | 'ownerId' | 'type' | 'originalKey' | 'sourceKey' | 'blurhash' | 'tries'>

const BEGUN = ['id', 'ownerId', 'type', 'originalKey', 'sourceKey', 'blurhash', 'tries'] as const

/** The files of a record. */
export type Keys = Pick<AttachmentRow, 'originalKey' | 'previewKey' | 'sourceKey'>
const KEYS = ['originalKey', 'previewKey', 'sourceKey'] as const

/** Rows of one statement: a large backlog is worked off in parts. */
const AT_A_TIME = 500

export class MotionReader {
  protected readonly db: Db<MediaTables> | Tx<MediaTables>

  constructor(db: Db<MediaTables> | Tx<MediaTables>) {
    this.db = db
  }

  /** Whether a file is still to be processed: it was neither deleted nor given up. */
  async isPending(id: string): Promise<boolean> {
    const query = this.db.selectFrom('attachment').select('id').where('id', '=', id).where('state', '=', 'pending')
    return (await query.executeTakeFirst()) !== undefined
  }
}

export class MotionWriter extends MotionReader {
  constructor(tx: Tx<MediaTables>) {
    super(tx)
  }

  /** Notes when the processing of a file has failed if it has not ended. */
  async queue(id: string, endsAt: Date): Promise<void> {
    await this.db.updateTable('attachment').set({ processingEndsAt: endsAt }).where('id', '=', id).execute()
  }

  /** Begins a try; undefined when the file is gone, done or given up. */
  async begin(id: string, endsAt: Date): Promise<Begun | undefined> {
    const query = this.db
      .updateTable('attachment')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1), processingEndsAt: endsAt }))
      .where('id', '=', id)
      .where('state', '=', 'pending')
    return query.returning(BEGUN).executeTakeFirst()
  }

  /** Takes back a try that ended for no fault of the file. */
  async forgetTry(id: string): Promise<void> {
    const query = this.db.updateTable('attachment').set(({ eb }) => ({ tries: eb('tries', '-', 1) }))
    await query.where('id', '=', id).where('state', '=', 'pending').where('tries', '>', 0).execute()
  }

  /** Says that a file is ready; false when it is gone or was given up meanwhile. */
  async finish(id: string, processed: Processed): Promise<boolean> {
    const query = this.db.updateTable('attachment').set({ ...processed, state: 'done', sourceKey: null, processingEndsAt: null })
    return (await query.where('id', '=', id).where('state', '=', 'pending').returning('id').executeTakeFirst()) !== undefined
  }

  /**
   * Says that a file cannot be shown; as of unknown type it is kept, to be attached all the same. Answers with the keys of what it had, or
   * undefined as `finish` says false.
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

  /** Files that have been processed for too long, kept from others until the transaction ends. */
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
