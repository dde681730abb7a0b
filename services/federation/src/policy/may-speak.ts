import { arrayLiteral, type Database } from '@rookery/database'
import { coveringDomains } from '@rookery/domain-names'
import type { FederationTables } from '../database/schema.ts'
import { readPolicy, readReportPolicy } from './domain-policy.store.ts'

/** Whether this server speaks with a domain at all: it is not suspended, and is on the list where only listed ones are spoken with. */
export type MaySpeak = (domain: string) => Promise<boolean>

/** A host's name without its port, as policies name it. */
export const nameOfHost = (host: string): string => host.replace(/:\d+$/, '')

/**
 * Which activities may be sent to a domain. A suspended domain is still sent the ends of follows, as by Mastodon: otherwise it would think
 * they last, and its people could not follow again once the suspension is over.
 */
export type MaySend = (domain: string) => Promise<'everything' | 'endsOfFollows' | 'nothing'>

type Deps = { database: Database<FederationTables>; config: { isAllowlist: boolean } }

/** Reads what may be sent to a domain each time, for all who ask at once by one statement: an act of staff counts at once. */
export const maySend =
  ({ database, config }: Deps): MaySend =>
  async (domain) => {
    const [policy] = await readPolicy(database, { domains: arrayLiteral(coveringDomains(domain)) })
    if (config.isAllowlist && !policy?.isAllowed) return 'nothing'
    return policy?.isSuspended ? 'endsOfFollows' : 'everything'
  }

/** Reads the policy of a domain in the same way. */
export const maySpeak = (deps: Deps): MaySpeak => {
  const read = maySend(deps)
  return async (domain) => (await read(domain)) === 'everything'
}

/** Whether reports that a domain sends are refused, as staff decided (spec, Admin::DomainBlock, reject_reports). */
export type RejectsReports = (domain: string) => Promise<boolean>

/** Reads it each time, by one statement. */
export const rejectsReports =
  ({ database }: { database: Database<FederationTables> }): RejectsReports =>
  async (domain) =>
    (await readReportPolicy(database, { domains: coveringDomains(domain) }))[0]?.rejectReports ?? false
