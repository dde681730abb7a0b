import type { AssignReportRequest, ChangeReportRequest, SetReportResolvedRequest } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { staffActed } from './report.events.ts'
import { faultsOf, recategorized, resolution } from './report.rules.ts'
import { type ReportChange, type ReportRow, ReportWriter } from './report.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }

/** An act on a report; `staffId` is empty for an operator. */
type Act = { id: string; staffId: string; action: string; text?: string }

/** Changes a report under a row lock, which orders concurrent changes, and publishes the act unless nothing changed. @throws Failure not_found */
const changing =
  ({ database, outbox, clock }: Deps) =>
  ({ id, staffId, action, text = '' }: Act, decide: (row: ReportRow, now: Date) => ReportChange): Promise<void> => {
    if (!isId(id)) throw notFound(`${id} is no id`)
    return transact(database.db, async (tx) => {
      const writer = new ReportWriter(tx)
      const row = orNotFound(await writer.lock(id), `no report ${id}`)
      const now = new Date(clock.now())
      const change = decide(row, now)
      if (Object.keys(change).length === 0) return
      await writer.change(id, { ...change, updatedAt: now })
      await outbox.append(tx, [staffActed({ staffId, action, accountId: row.targetId, reportId: id, text, target: '' })])
    })
  }

/** Changes the category of a report and the rules it names. @throws Failure not_found, invalid */
export const changeReport = (deps: Deps) => {
  const change = changing(deps)
  return ({ id, staffId, category, ruleIds }: ChangeReportRequest): Promise<void> => {
    const text = [category ?? [], ruleIds?.ids ?? []].flat().join(' ')
    return change({ id, staffId, action: 'change_report', text }, (row) => {
      const complaint = recategorized(row, { category, ruleIds: ruleIds?.ids })
      const faults = faultsOf({ ...complaint, comment: '', statusIds: [] })
      if (faults.length > 0) throw invalid(...faults)
      const isSame = complaint.category === row.category && String(complaint.ruleIds) === String(row.ruleIds)
      return isSame ? {} : complaint
    })
  }
}

/** Assigns a report to a member of staff, or unassigns it. @throws Failure not_found */
export const assignReport = (deps: Deps) => {
  const change = changing(deps)
  return ({ id, staffId, isUnassigned }: AssignReportRequest): Promise<void> =>
    change({ id, staffId, action: isUnassigned ? 'unassign_report' : 'assign_report' }, ({ assignedToId }) => {
      const next = isUnassigned ? null : staffId
      return assignedToId === next ? {} : { assignedToId: next }
    })
}

/** Resolves or reopens a report. @throws Failure not_found */
export const setReportResolved = (deps: Deps) => {
  const change = changing(deps)
  return ({ id, staffId, isResolved }: SetReportResolvedRequest): Promise<void> =>
    change({ id, staffId, action: isResolved ? 'resolve_report' : 'reopen_report' }, (row, now) =>
      resolution(row, isResolved ? { by: staffId || null, at: now } : undefined),
    )
}

/** Resolves a report within an act on the reported account, and returns the statuses it names; ignores a report on another account. */
export const resolveWithin = async (
  tx: Tx<StatusesTables>,
  { id, targetId, by, now }: { id: string; targetId: string; by: string | null; now: Date },
): Promise<string[]> => {
  const writer = new ReportWriter(tx)
  const row = await writer.lock(id)
  if (row?.targetId !== targetId) return []
  const change = resolution(row, { by, at: now })
  if (Object.keys(change).length > 0) await writer.change(id, { ...change, updatedAt: now })
  return row.statusIds
}

/** Maximum number of reports that one statement resolves. */
const RESOLVED_AT_ONCE = 500

/** Resolves all open reports about an account, within an act on it. */
export const resolveAllWithin = async (
  tx: Tx<StatusesTables>,
  about: { targetId: string; by: string | null; now: Date },
): Promise<void> => {
  const writer = new ReportWriter(tx)
  for (let resolved = RESOLVED_AT_ONCE; resolved === RESOLVED_AT_ONCE; ) {
    resolved = await writer.resolveOpen({ ...about, limit: RESOLVED_AT_ONCE })
  }
}
