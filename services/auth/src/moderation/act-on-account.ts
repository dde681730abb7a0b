import { mayActOn, mayChangeRole } from '@rookery/contracts/permissions'
import type { AccountView } from '@rookery/contracts/statuses'
import { type Tx, transact } from '@rookery/database'
import { Failure, notAllowed } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AccountDeletions } from '../accounts/deletions/index.ts'
import type { AuthTables } from '../database/schema.ts'
import type { Login, LoginChange, Logins } from '../logins/index.ts'
import type { SecurityEmails } from '../mail/security-emails/index.ts'
import { ACTS, type Act, type ActName, answersAllReports, chosenStatuses, type EndName, isFitting } from './act.rules.ts'
import { type FinishDeps, finishActs } from './finish-acts.job.ts'
import { type Parties, requestAct, type Warning, writeAct } from './record-act.ts'
import { strikePath } from './strike-path.ts'

export type ActDeps = FinishDeps & { clock: Clock; logins: Logins; deletions: AccountDeletions; securityEmails: SecurityEmails }

type Deps = ActDeps

/** Returns a check that the actor may act on an account; operators always may. @throws Failure forbidden */
export const judging = async ({ logins }: Pick<Deps, 'logins'>, { staffId }: Parties) => {
  const actor = staffId ? await logins.find(staffId) : undefined
  if (staffId && !actor) throw notAllowed(`staff ${staffId} is gone`)
  return (target: Login) => {
    if (!mayActOn(actor, target)) throw notAllowed(`${staffId} may not act on ${target.accountId}`)
  }
}

/**
 * @throws Failure forbidden for an act that does not fit the account's state, e.g. approving an approved account; only operators get the
 * reason
 */
const refuseUnfitting = (action: ActName | EndName, { staffId }: Parties, login: Login) => {
  if (isFitting(action, login)) return
  throw staffId ? notAllowed(`${action} does not fit`) : new Failure('forbidden', 'The account does not wait for approval')
}

/** Adds an act that another slice performs to the log, in the same transaction. */
export const recordAct =
  ({ clock }: Pick<Deps, 'clock'>) =>
  (tx: Tx<AuthTables>, action: string, parties: Parties, { text = '' }: Pick<Warning, 'text'> = {}): Promise<string> =>
    writeAct(tx, action, parties, { text }, new Date(clock.now()))

/** Changes a login; `isNews` is whether there was anything to change. */
const changeLogin = async ({ logins }: Deps, tx: Tx<AuthTables>, accountId: string, changeOf: (before: Login) => LoginChange) => {
  let isNews = false
  const after = await logins.changeState(tx, accountId, (before) => {
    const change = changeOf(before)
    isNews = Object.keys(change).length > 0
    return change
  })
  return { after, isNews }
}

/** Whether statuses must apply something of an act. */
const isForStatuses = (action: ActName, parties: Parties, of: { notified: object | undefined; reportId: string | undefined }): boolean => {
  const act: Act = ACTS[action]
  return Boolean(act.account || act.statuses || of.reportId || of.notified) || answersAllReports(action, parties)
}

/**
 * Performs an act on an account, for staff or an operator (beyond-the-spec 1.15, 2.6). One transaction changes the login, logs the act,
 * requests the mail, records what statuses must apply, and runs `also`. Statuses applies it at once, or by a job if that fails. Returns the
 * login, and the account if statuses changed it.
 * @throws Failure not_found, forbidden, invalid for an act on no statuses or too many
 */
export const actOnAccount =
  (deps: Deps) =>
  async (
    call: Call,
    action: ActName,
    parties: Parties,
    warning: Warning = {},
    also: (tx: Tx<AuthTables>) => Promise<void> = async () => {},
  ): Promise<{ login: Login; view: AccountView | undefined }> => {
    const act: Act = ACTS[action]
    const statusIds = chosenStatuses(act, warning.statusIds ?? [])
    const judge = await judging(deps, parties)
    const now = new Date(deps.clock.now())
    const text = warning.text ?? ''
    const notified = act.warning && warning.sendsMail ? { action, text } : undefined
    const login = await transact(deps.database.db, async (tx) => {
      const { after, isNews } = await changeLogin(deps, tx, parties.accountId, (before) => {
        judge(before)
        refuseUnfitting(action, parties, before)
        return act.login?.(before, now) ?? {}
      })
      const actId = await writeAct(tx, action, parties, { ...warning, statusIds }, now)
      const { reportId } = warning
      if (isForStatuses(action, parties, { notified, reportId }))
        await requestAct(tx, action, parties, { actId, statusIds, warning: notified, ...(reportId && { reportId }) })
      const kind = (isNews && act.news) || (notified && act.warning)
      if (kind)
        await deps.securityEmails.send(tx, {
          to: after.email,
          locale: after.locale,
          kind,
          more: text,
          ...(act.warning && { strike: strikePath(actId) }),
        })
      await also(tx)
      return after
    })
    // The job retries.
    const view = await finishActs(deps, call, parties.accountId).catch(() => undefined)
    return { login, view }
  }

/** Changes an account's role, for staff or an operator. @throws Failure not_found; forbidden, also for the last owner */
export const changeRole =
  (deps: Deps) =>
  async (parties: Parties, role: Login['role']): Promise<Login> => {
    const { accountId, staffId } = parties
    const actor = staffId ? await deps.logins.find(staffId) : undefined
    if (staffId && !actor) throw notAllowed(`staff ${staffId} is gone`)
    return transact(deps.database.db, async (tx) => {
      const after = await deps.logins.changeState(tx, accountId, (target) => {
        if (!mayChangeRole(actor, target, role)) throw notAllowed(`${staffId} may not make ${accountId} ${role}`)
        return { role }
      })
      await writeAct(tx, 'change_role', parties, { text: role }, new Date(deps.clock.now()))
      return after
    })
  }

/**
 * Rejects a sign-up or deletes an account, for staff or an operator. Only the handle remains, in the log. Staff may delete only suspended
 * accounts.
 * @throws Failure not_found, forbidden
 */
export const endAccount =
  (deps: Deps) =>
  async (end: EndName, parties: Parties, handle: string): Promise<void> => {
    const judgeParties = await judging(deps, parties)
    const mustFit = parties.staffId || end === 'reject'
    const judge = (login: Login) => {
      judgeParties(login)
      if (mustFit) refuseUnfitting(end, parties, login)
    }
    const also = async (tx: Tx<AuthTables>) => {
      await writeAct(tx, end, parties, { handle }, new Date(deps.clock.now()))
    }
    await deps.deletions.close(parties.accountId, { kind: end === 'reject' ? 'rejected' : 'accountClosed', judge, also })
  }
