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

/** Resolves the report an act answers, or all open ones about the account, and answers with the statuses of the first. */
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
  // Other servers learn of it and hide what they have: all of them, as a spammer writes to people of servers where no one follows them.
  if (isSuspended !== undefined) await outbox.append(tx, [profileChanged(accountId, { isForAll: true })])
  // Their files are withheld. Those of people of other servers are not here in their name.
  if (isSuspended !== undefined && isLocal) await outbox.append(tx, [accountSuspended({ accountId, isSuspended, actId })])
  // What silenced, suspended and inactive people use does not trend.
  await markRecentUses(tx, accountId, clock.now())
  const reported = await resolveReports(given, request)
  if (!warning) return
  const chosen = [...deletedStatusIds, ...sensitiveStatusIds]
  const detail = { warning: { id: actId, ...warning, statusIds: chosen.length > 0 ? chosen : reported }, severed: undefined }
  await outbox.append(tx, [subjectAddressed(accountId, 'moderation_warning', detail)])
}

/**
 * Does what an act changes of statuses of an account and of the account itself, notifies it where that is wanted, and resolves the report it answers, or all open ones about the
 * account, once: a repeat, and an act that a later one overtook, change nothing. Returns the account as it is then. @throws Failure not_found
 */
export const applyAct = (deps: Deps) => {
  const { database, clock, views, outbox } = deps
  const [remove, mark] = [deleteStatuses(deps), markStatuses(deps)]
  return async (request: ApplyActRequest): Promise<AccountView> => {
    const { actId, accountId, deletedStatusIds, sensitiveStatusIds } = request
    // Before the account is locked: deletions lock a status and then its author. Of a repeat nothing is left to do.
    await remove(accountId, deletedStatusIds)
    await mark(accountId, sensitiveStatusIds)
    await transact(database.db, async (tx) => {
      const changed = await new ActWriter(tx).apply(actId, accountId, request)
      if (changed) await afterAct({ tx, outbox, clock }, request, changed)
    })
    return orNotFound((await views.accounts([accountId], { withNewcomers: true }))[0], `no account ${accountId}`)
  }
}
