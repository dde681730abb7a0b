import type { Db } from '@rookery/database'
import type { FederationTables } from '../database/schema.ts'
import type { TextName } from './instance.tables.ts'

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

  /** The rules in the order they are shown in. */
  async rules(): Promise<{ id: string; text: string; hint: string }[]> {
    return this.#db.selectFrom('rule').select(['id', 'text', 'hint']).orderBy('priority').orderBy('id').execute()
  }
}
