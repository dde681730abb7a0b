import type { Db, Tx } from '@rookery/database'
import type { FederationTables } from '../database/schema.ts'
import type { ConfiguredTextTable, TextName } from '../database/tables/instance.ts'

/** A text and when it was last changed. */
export type StoredText = { name: TextName; value: string; updatedAt: Date }

export class InstanceReader {
  readonly #db: Db<FederationTables>

  constructor(db: Db<FederationTables>) {
    this.#db = db
  }

  async texts(): Promise<StoredText[]> {
    return this.#db.selectFrom('instanceText').select(['name', 'value', 'updatedAt']).execute()
  }

  /** A text of the settings as it was last read. */
  async configuredText(name: TextName): Promise<ConfiguredTextTable | undefined> {
    return this.#db.selectFrom('configuredText').selectAll().where('name', '=', name).executeTakeFirst()
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
      .insertInto('configuredText')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ eb, ref }) => ({
          value: ref('excluded.value'),
          changedAt: eb
            .case()
            .when('configuredText.value', '=', ref('excluded.value'))
            .then(ref('configuredText.changedAt'))
            .else(ref('excluded.changedAt'))
            .end(),
        })),
      )
      .returning('changedAt')
      .executeTakeFirstOrThrow()
    return kept.changedAt
  }
}
