import type { Db } from '@rookery/database'
import type { FederationTables } from '../database/schema.ts'

export class PeerReader {
  readonly #db: Db<FederationTables>

  constructor(db: Db<FederationTables>) {
    this.#db = db
  }

  async count(): Promise<number> {
    const row = await this.#db
      .selectFrom('peer')
      .select((select) => select.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }

  async domains(): Promise<string[]> {
    const rows = await this.#db.selectFrom('peer').select('domain').orderBy('domain').execute()
    return rows.map((row) => row.domain)
  }
}
