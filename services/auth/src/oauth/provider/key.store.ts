import type { Db, Tx } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'

export class KeyReader {
  protected readonly db: Db<AuthTables> | Tx<AuthTables>

  constructor(db: Db<AuthTables> | Tx<AuthTables>) {
    this.db = db
  }

  async all(): Promise<Map<string, string>> {
    const rows = await this.db.selectFrom('providerKey').select(['name', 'value']).execute()
    return new Map(rows.map((row) => [row.name, row.value]))
  }
}

export class KeyWriter extends KeyReader {
  /** Adds missing keys. */
  async add(keys: Readonly<Record<string, string>>): Promise<void> {
    const rows = Object.entries(keys).map(([name, value]) => ({ name, value }))
    await this.db
      .insertInto('providerKey')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
