import type { DeleteTermsRequest, PublishTermsRequest, TermsOfService, TermsVersionList } from '@rookery/contracts/federation'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import { renderDocument } from '@rookery/markup'
import { type Clock, dayOf, isCalendarDay } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { staffActed } from '../staff-acted.ts'
import { termsDeleted, termsPublished } from './terms.events.ts'
import { currentTerms, termsFaults } from './terms.rules.ts'
import { TermsReader, TermsWriter } from './terms.store.ts'

type ReadDeps = { database: Database<FederationTables>; clock: Clock }
type Deps = ReadDeps & { outbox: Outbox }

/** Today in UTC, as YYYY-MM-DD. */
const today = ({ clock }: ReadDeps) => dayOf(clock.now())

/** The terms of service of a day, or the current ones (beyond-the-spec 2.5). @throws Failure not_found */
export const readTerms =
  (deps: ReadDeps) =>
  async (day: string): Promise<TermsOfService> => {
    const versions = await new TermsReader(deps.database.db).versions()
    const found = day ? versions.find(({ effectiveOn }) => effectiveOn === day) : currentTerms(versions, today(deps))
    const { effectiveOn, text } = orNotFound(found, 'there are no such terms of service')
    return {
      effectiveOn,
      isEffective: effectiveOn <= today(deps),
      content: renderDocument(text),
      succeededBy: versions.find((other) => other.effectiveOn > effectiveOn)?.effectiveOn,
    }
  }

/** All versions, in descending order. */
export const listTerms = (deps: ReadDeps) => async (): Promise<TermsVersionList> => {
  const versions = await new TermsReader(deps.database.db).versions()
  return { versions: versions.toReversed().map((version) => ({ ...version, isEffective: version.effectiveOn <= today(deps) })) }
}

/** Adds or replaces the version of a day. @throws Failure invalid */
export const publishTerms = (deps: Deps) => {
  const list = listTerms(deps)
  return async ({ staffId, ...typed }: PublishTermsRequest): Promise<TermsVersionList> => {
    const version = { effectiveOn: typed.effectiveOn.trim() || today(deps), text: typed.text.replace(/\r\n?/g, '\n').trim() }
    await transact(deps.database.db, async (tx) => {
      const writer = new TermsWriter(tx)
      const others = (await writer.versions()).filter(({ effectiveOn }) => effectiveOn !== version.effectiveOn)
      const faults = termsFaults(version, today(deps), others.length)
      if (faults.length > 0) throw invalid(...faults)
      await writer.put(version, new Date(deps.clock.now()))
      const act = staffActed({ staffId, action: 'publish_terms', target: version.effectiveOn })
      await deps.outbox.append(tx, [act, termsPublished(version.effectiveOn)])
    })
    return list()
  }
}

/** Deletes the version of a day. @throws Failure not_found */
export const deleteTerms = (deps: Deps) => {
  const list = listTerms(deps)
  return async ({ effectiveOn, staffId }: DeleteTermsRequest): Promise<TermsVersionList> => {
    await transact(deps.database.db, async (tx) => {
      const isRemoved = isCalendarDay(effectiveOn) && (await new TermsWriter(tx).remove(effectiveOn))
      orNotFound(isRemoved || undefined, `no terms of ${effectiveOn}`)
      await deps.outbox.append(tx, [staffActed({ staffId, action: 'delete_terms', target: effectiveOn }), termsDeleted(effectiveOn)])
    })
    return list()
  }
}
