import { StatusMeasuresDefinition } from '@rookery/contracts/statuses'
import { type CountedRow, type Database, measuredRows, type Prepared } from '@rookery/database'
import { isId } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import {
  type ComparedDays,
  countInteractions,
  countOpenedReports,
  countResolvedReports,
  countServerAccounts,
  countServerFollowers,
  countServerFollows,
  countServerLanguages,
  countServerPeople,
  countServerReports,
  countServerStatuses,
  countServers,
  countTagAccounts,
  countTagLanguages,
  countTagServerParts,
  countTagServers,
  countTagUses,
  type DimensionDays,
  type Part,
} from './measure.store.ts'

/** The subject of a measure: this server, a tag by its id, or another server by its domain. */
type SubjectKind = 'server' | 'tag' | 'domain'
type Counted<Days, Row> = { of: SubjectKind; count: Prepared<Days & object, Row> }

const MEASURES: Readonly<Record<string, Counted<ComparedDays, CountedRow>>> = {
  interactions: { of: 'server', count: countInteractions },
  opened_reports: { of: 'server', count: countOpenedReports },
  resolved_reports: { of: 'server', count: countResolvedReports },
  tag_accounts: { of: 'tag', count: countTagAccounts },
  tag_uses: { of: 'tag', count: countTagUses },
  tag_servers: { of: 'tag', count: countTagServers },
  instance_accounts: { of: 'domain', count: countServerAccounts },
  instance_statuses: { of: 'domain', count: countServerStatuses },
  instance_follows: { of: 'domain', count: countServerFollows },
  instance_followers: { of: 'domain', count: countServerFollowers },
  instance_reports: { of: 'domain', count: countServerReports },
}

const DIMENSIONS: Readonly<Record<string, Counted<DimensionDays, Part>>> = {
  servers: { of: 'server', count: countServers },
  tag_servers: { of: 'tag', count: countTagServerParts },
  tag_languages: { of: 'tag', count: countTagLanguages },
  instance_accounts: { of: 'domain', count: countServerPeople },
  instance_languages: { of: 'domain', count: countServerLanguages },
}

/** The statement of a key; undefined for keys of another service, and for an invalid subject. */
const countedBy = <Value extends { of: SubjectKind }>(
  known: Readonly<Record<string, Value>>,
  { key, subject }: { key: string; subject: string },
): Value | undefined => {
  const found = Object.hasOwn(known, key) ? known[key] : undefined
  return found?.of === 'tag' && !isId(subject) ? undefined : found
}

/** Serves StatusMeasures of the contract: one statement per key (beyond-the-spec 2.6). */
export const createMeasuresRpc = ({ database }: { database: Database<StatusesTables> }): Handler =>
  handler(StatusMeasuresDefinition, {
    async readMeasures(_call, { measures, firstDay, lastDay }) {
      const previousDay = firstDay - (lastDay - firstDay + 1)
      const found = measures.map(async ({ key, ...subject }) => {
        const counted = countedBy(MEASURES, { key, ...subject })
        if (!counted) return undefined
        const { previousTotal, ...measure } = measuredRows(await counted.count(database, { previousDay, firstDay, lastDay, ...subject }))
        // Measures of another server are totals of all time.
        return counted.of === 'domain' ? { key, ...measure, total: measure.total + previousTotal } : { key, ...measure, previousTotal }
      })
      return { measures: (await Promise.all(found)).filter((measure) => measure !== undefined) }
    },
    async readDimensions(_call, { dimensions, firstDay, lastDay, limit }) {
      const found = dimensions.map(async ({ key, ...subject }) => {
        const counted = countedBy(DIMENSIONS, { key, ...subject })
        if (!counted) return undefined
        const rows = await counted.count(database, { firstDay, lastDay, limit, ...subject })
        return { key, rows: rows.map((row) => ({ name: '', ...row })) }
      })
      return { dimensions: (await Promise.all(found)).filter((dimension) => dimension !== undefined) }
    },
  })
