import { type Database, prepared, type Tx } from '@rookery/database'
import { coveringDomains, decisionFor } from '@rookery/domain-names'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'

/** The decisions on these domains. */
const readDecisions = prepared(
  'remote-domains.read',
  ({ domains }: { domains: readonly string[] }) => sql<{ domain: string; isRejected: boolean }>`
    select domain, is_rejected from remote_domain where domain = any(${domains}::text[])`,
)

/** The domains among these whose files are rejected, by the most specific decision for each. */
export const rejectedAmong = async (database: Database<MediaTables>, domains: readonly string[]): Promise<Set<string>> => {
  const rows = await readDecisions(database, { domains: [...new Set(domains.flatMap(coveringDomains))] })
  const decisions = new Map(rows.map(({ domain, isRejected }) => [domain, isRejected]))
  return new Set(domains.filter((domain) => decisionFor(domain, decisions) ?? false))
}

export class RemoteDomainWriter {
  readonly #tx: Tx<MediaTables>

  constructor(tx: Tx<MediaTables>) {
    this.#tx = tx
  }

  /** Stores the decision on a domain, replacing an earlier one. */
  async decide(domain: string, isRejected: boolean): Promise<void> {
    const query = this.#tx.insertInto('remoteDomain').values({ domain, isRejected })
    await query.onConflict((conflict) => conflict.column('domain').doUpdateSet({ isRejected })).execute()
  }

  /** Deletes the decision on a domain. */
  async forget(domain: string): Promise<void> {
    await this.#tx.deleteFrom('remoteDomain').where('domain', '=', domain).execute()
  }
}
