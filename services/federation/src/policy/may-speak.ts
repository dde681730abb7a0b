import { arrayLiteral, type Database } from '@rookery/database'
import { coveringDomains } from '@rookery/domain-names'
import type { FederationTables } from '../database/schema.ts'
import { readPolicy, readReportPolicy } from './domain-policy.store.ts'

/** Whether this server speaks with a domain at all: it is not suspended, and is on the list where only listed ones are spoken with. */
export type MaySpeak = (domain: string) => Promise<boolean>

/** A host's name without its port, as policies name it. */
export const nameOfHost = (host: string): string => host.replace(/:\d+$/, '')

/** Reads the policy of a domain each time, for all who ask at once by one statement: an act of staff counts at once. */
export const maySpeak =
  ({ database, config }: { database: Database<FederationTables>; config: { isAllowlist: boolean } }): MaySpeak =>
  async (domain) => {
    const [policy] = await readPolicy(database, { domains: arrayLiteral(coveringDomains(domain)) })
    return !policy?.isSuspended && (!config.isAllowlist || policy?.isAllowed === true)
  }

/** Whether reports that a domain sends are refused, as staff decided (spec, Admin::DomainBlock, reject_reports). */
export type RejectsReports = (domain: string) => Promise<boolean>

/** Reads it each time, by one statement. */
export const rejectsReports =
  ({ database }: { database: Database<FederationTables> }): RejectsReports =>
  async (domain) =>
    (await readReportPolicy(database, { domains: coveringDomains(domain) }))[0]?.rejectReports ?? false
