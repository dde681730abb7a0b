import type { AccountView, ApplyActRequest } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import { subjectAddressed } from '../../audience/index.ts'
import { markRecentUses } from '../../content/uses/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { profileChanged } from '../../people/accounts/index.ts'
import type { Views } from '../../views/index.ts'
import { resolveAllWithin, resolveWithin } from '../reports/index.ts'
import { deleteStatuses, markStatuses } from '../statuses/index.ts'
import { ActWriter } from './act.store.ts'
import { accountSuspended } from './suspension.events.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; views: Views; outbox: Outbox; baseUrl: string }

type ActDeps = Pick<Deps, 'outbox' | 'clock'> & { tx: Tx<StatusesTables> }

/** Resolves the report that caused an act and, if requested, all open reports about the account. Returns the statuses of the report. */
const resolveReports = async ({ tx, clock }: ActDeps, { accountId, staffId, reportId, resolvesReports }: ApplyActRequest) => {
  const about = { targetId: accountId, by: staffId || null, now: new Date(clock.now()) }
  const reported = isId(reportId) ? await resolveWithin(tx, { ...about, id: reportId }) : []
  if (resolvesReports) await resolveAllWithin(tx, about)
  return reported
}

/** Events and jobs that follow from the new state of an account. */
const afterAct = async (given: ActDeps, request: ApplyActRequest, { isLocal }: { isLocal: boolean }) => {
  const { tx, outbox, clock } = given
  const { actId, accountId, warning, isSuspended, deletedStatusIds, sensitiveStatusIds } = request
  // Sent to all known servers, so that they hide the account's posts: a spammer also writes to servers where no one follows them.
  if (isSuspended !== undefined) await outbox.append(tx, [profileChanged(accountId, { isForAll: true })])
  // Media stops serving the account's files. It stores no files in the name of accounts of other servers.
  if (isSuspended !== undefined && isLocal) await outbox.append(tx, [accountSuspended({ accountId, isSuspended, actId })])
  // Tags and links used by silenced, suspended and inactive accounts do not trend.
  await markRecentUses(tx, accountId, clock.now())
  const reported = await resolveReports(given, request)
  if (!warning) return
  const chosen = [...deletedStatusIds, ...sensitiveStatusIds]
  const detail = { warning: { id: actId, ...warning, statusIds: chosen.length > 0 ? chosen : reported }, severed: undefined }
  await outbox.append(tx, [subjectAddressed(accountId, 'moderation_warning', detail)])
}

/**
 * Applies an act of staff: deletes and marks statuses of the account, changes the account, notifies it if the act has a warning, and resolves the
 * report that caused the act, or all open ones about the account. A repeated act, or one applied after a later act, changes only statuses that are
 * not deleted or marked yet. Returns the changed account. @throws Failure not_found
 */
export const applyAct = (deps: Deps) => {
  const { database, clock, views, outbox } = deps
  const [remove, mark] = [deleteStatuses(deps), markStatuses(deps)]
  return async (request: ApplyActRequest): Promise<AccountView> => {
    const { actId, accountId, deletedStatusIds, sensitiveStatusIds } = request
    // Before the account is locked: deletions lock a status and then its author. A repeat finds nothing left to change.
    await remove(accountId, deletedStatusIds)
    await mark(accountId, sensitiveStatusIds)
    await transact(database.db, async (tx) => {
      const changed = await new ActWriter(tx).apply(actId, accountId, request)
      if (changed) await afterAct({ tx, outbox, clock }, request, changed)
    })
    return orNotFound((await views.accounts([accountId], { withNewcomers: true }))[0], `no account ${accountId}`)
  }
}
