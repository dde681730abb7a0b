import type { Db, Tx } from '@rookery/database'
import type { FederationTables } from '../database/schema.ts'
import type { ConfiguredTextTable, TextName } from '../database/tables/instance.ts'

/** A text and when it was last changed. */
export type StoredText = { name: TextName; value: string; updated_at: Date }

export class InstanceReader {
  readonly #db: Db<FederationTables>

  constructor(db: Db<FederationTables>) {
    this.#db = db
  }

  async texts(): Promise<StoredText[]> {
    return this.#db.selectFrom('instance_text').select(['name', 'value', 'updated_at']).execute()
  }

  /** A text of the settings as it was last read. */
  async configuredText(name: TextName): Promise<ConfiguredTextTable | undefined> {
    return this.#db.selectFrom('configured_text').selectAll().where('name', '=', name).executeTakeFirst()
  }

  /** The rules in the order they are shown in. */
  async rules(): Promise<{ id: string; text: string; hint: string }[]> {
    return this.#db.selectFrom('rule').select(['id', 'text', 'hint']).orderBy('priority').orderBy('id').execute()
  }
}

export class InstanceWriter {
  readonly #tx: Tx<FederationTables>

  constructor(tx: Tx<FederationTables>) {
    this.#tx = tx
  }

  /** Keeps a text of the settings. Returns since when it reads so: two processes that note the same change agree on its date. */
  async keepConfiguredText(row: ConfiguredTextTable): Promise<Date> {
    const kept = await this.#tx
      .insertInto('configured_text')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ eb, ref }) => ({
          value: ref('excluded.value'),
          changed_at: eb
            .case()
            .when('configured_text.value', '=', ref('excluded.value'))
            .then(ref('configured_text.changed_at'))
            .else(ref('excluded.changed_at'))
            .end(),
        })),
      )
      .returning('changed_at')
      .executeTakeFirstOrThrow()
    return kept.changed_at
  }
}
