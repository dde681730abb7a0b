import type { Db } from '@rookery/database'
import type { Selectable } from 'kysely'
import type { FederationTables } from '../database/schema.ts'
import type { DomainBlockTable } from '../database/tables/domain-block.ts'

/** What of a block the public may learn. */
export type PublicBlock = Pick<Selectable<DomainBlockTable>, 'domain' | 'severity' | 'publicComment' | 'obfuscate'>

export class DomainBlockReader {
  readonly #db: Db<FederationTables>

  constructor(db: Db<FederationTables>) {
    this.#db = db
  }

  /** The blocks that people here notice, the milder first. */
  async visible(): Promise<PublicBlock[]> {
    return this.#db
      .selectFrom('domainBlock')
      .select(['domain', 'severity', 'publicComment', 'obfuscate'])
      .where('severity', '!=', 'noop')
      .orderBy('severity')
      .orderBy('domain')
      .execute()
  }
}
