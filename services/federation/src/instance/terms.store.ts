import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { FederationTables } from '../database/schema.ts'

/** A version of the terms of service; its effective day is YYYY-MM-DD. */
export type TermsRow = { effectiveOn: string; text: string }

export class TermsReader {
  protected readonly db: Db<FederationTables>

  constructor(db: Db<FederationTables>) {
    this.db = db
  }

  /** All versions, in ascending order. */
  async versions(): Promise<TermsRow[]> {
    return this.db
      .selectFrom('termsOfService')
      .select([sql<string>`to_char(effective_on, 'YYYY-MM-DD')`.as('effectiveOn'), 'text'])
      .orderBy('termsOfService.effectiveOn')
      .execute()
  }
}

export class TermsWriter extends TermsReader {
  constructor(tx: Tx<FederationTables>) {
    super(tx)
  }

  /** Stores a version, replacing the one of the same day. */
  async put({ effectiveOn, text }: TermsRow, publishedAt: Date): Promise<void> {
    await this.db
      .insertInto('termsOfService')
      .values({ effectiveOn, text, publishedAt })
      .onConflict((conflict) => conflict.column('effectiveOn').doUpdateSet({ text, publishedAt }))
      .execute()
  }

  /** Returns whether there was a version of that day. */
  async remove(effectiveOn: string): Promise<boolean> {
    const query = this.db.deleteFrom('termsOfService').where('effectiveOn', '=', effectiveOn).returning('text')
    return (await query.executeTakeFirst()) !== undefined
  }
}
