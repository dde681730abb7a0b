import { type Database, prepared, type Tx } from '@rookery/database'
import { coveringDomains, decisionFor } from '@rookery/domain-names'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'

/** What staff decided of these domains, where they did. */
const readDecisions = prepared(
  'remote-domains.read',
  ({ domains }: { domains: readonly string[] }) => sql<{ domain: string; isRejected: boolean }>`
    select domain, is_rejected from remote_domain where domain = any(${domains}::text[])`,
)

/** Those of the domains whose files are rejected, by the most specific decision there is of each. */
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

  /** Keeps what staff decided of a domain in place of what was decided before. */
  async decide(domain: string, isRejected: boolean): Promise<void> {
    const query = this.#tx.insertInto('remoteDomain').values({ domain, isRejected })
    await query.onConflict((conflict) => conflict.column('domain').doUpdateSet({ isRejected })).execute()
  }

  /** Nothing is decided of a domain any more. */
  async forget(domain: string): Promise<void> {
    await this.#tx.deleteFrom('remoteDomain').where('domain', '=', domain).execute()
  }
}
