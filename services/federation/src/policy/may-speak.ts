import { arrayLiteral, type Database } from '@rookery/database'
import { coveringDomains } from '@rookery/domain-names'
import type { FederationTables } from '../database/schema.ts'
import { readPolicy, readReportPolicy } from './domain-policy.store.ts'

/** Whether we federate with a domain: it is not suspended, and in allowlist mode it is on the list. */
export type MaySpeak = (domain: string) => Promise<boolean>

/** A host without its port, as in blocks and allows. */
export const nameOfHost = (host: string): string => host.replace(/:\d+$/, '')

/**
 * Which activities may be sent to a domain. A suspended domain still gets the ends of follows, as on Mastodon: otherwise it would consider
 * them active, and its users could not follow again after the suspension.
 */
export type MaySend = (domain: string) => Promise<'everything' | 'endsOfFollows' | 'nothing'>

type Deps = { database: Database<FederationTables>; config: { isAllowlist: boolean } }

/** Reads the policy on each call, so that changes by staff apply at once; concurrent calls share a query. */
export const maySend =
  ({ database, config }: Deps): MaySend =>
  async (domain) => {
    const [policy] = await readPolicy(database, { domains: arrayLiteral(coveringDomains(domain)) })
    if (config.isAllowlist && !policy?.isAllowed) return 'nothing'
    return policy?.isSuspended ? 'endsOfFollows' : 'everything'
  }

/** Whether we federate with a domain, by the same policy. */
export const maySpeak = (deps: Deps): MaySpeak => {
  const read = maySend(deps)
  return async (domain) => (await read(domain)) === 'everything'
}

/** Whether a URL may be fetched: it is https unless that is not required, and we federate with its host. Also asked of each redirect. */
export const mayFetch =
  ({ maySpeak, isHttpsOnly }: { maySpeak: MaySpeak; isHttpsOnly: boolean }) =>
  async (url: URL): Promise<boolean> =>
    (!isHttpsOnly || url.protocol === 'https:') && (await maySpeak(url.host))

/** Whether staff reject reports from a domain (spec, Admin::DomainBlock, reject_reports). */
export type RejectsReports = (domain: string) => Promise<boolean>

/** Reads the block on each call. */
export const rejectsReports =
  ({ database }: { database: Database<FederationTables> }): RejectsReports =>
  async (domain) =>
    (await readReportPolicy(database, { domains: coveringDomains(domain) }))[0]?.rejectReports ?? false
