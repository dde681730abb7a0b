import { AccountBody, type AccountLifeDefinition, type AccountView } from '@rookery/contracts/statuses'
import { transact } from '@rookery/database'
import { notAllowed, orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { Logins } from '../logins/index.ts'
import { ACTS, type Act, type ActName, answersAllReports, chosenStatuses, mayActOn, onStatuses } from './act.rules.ts'
import { ActWriter } from './act.store.ts'
import { type FinishDeps, finishActs, requestFinish } from './finish-acts.job.ts'

type Deps = FinishDeps & {
  clock: Clock
  logins: Logins
  statuses: FinishDeps['statuses'] & { accountLife: Client<AccountLifeDefinition> }
}
type Parties = { accountId: string; staffId: string }

/** What staff do to people of other servers, who have no login here and get no mail: what statuses changes of an account, and no more. */
export const actOnRemoteAccount = (deps: Deps) => {
  const { database, statuses, logins, clock } = deps

  /** @throws Failure not_found for what is no account of another server, forbidden for who is no staff */
  const judge = async (call: Call, { accountId, staffId }: Parties): Promise<AccountBody> => {
    const { accounts } = await statuses.moderation.listAccounts(call, { among: { ids: [accountId] } })
    const account = AccountBody.decode(orNotFound(accounts[0], `no account ${accountId}`).body)
    orNotFound(account.origin, `${accountId} is of this server, without a login`)
    const actor = staffId ? orNotFound(await logins.find(staffId), `staff ${staffId} is gone`) : undefined
    if (!mayActOn(actor, { accountId, role: 'user' })) throw notAllowed(`${staffId} may not act on ${accountId}`)
    return account
  }

  const log = (
    { accountId, staffId }: Parties,
    action: string,
    { text = '', reportId = '', statusIds = [] as readonly string[] } = {},
  ) => ({
    actorId: staffId || null,
    action,
    accountId,
    target: statusIds.join(' '),
    text,
    reportId: reportId || null,
    createdAt: new Date(clock.now()),
  })

  return {
    /** @throws Failure not_found, forbidden also for acts on logins */
    act: async (
      call: Call,
      action: ActName,
      parties: Parties,
      warning: { text?: string; reportId?: string; statusIds?: readonly string[] },
    ): Promise<AccountView | undefined> => {
      await judge(call, parties)
      const act: Act = ACTS[action]
      const statusIds = chosenStatuses(act, warning.statusIds ?? [])
      if (!act.account && !act.statuses && action !== 'none') throw notAllowed(`${action} is for accounts of this server`)
      const { accountId, staffId } = parties
      await transact(database.db, async (tx) => {
        const acts = new ActWriter(tx)
        await acts.inOrder(accountId)
        const actId = await acts.add(log(parties, action, { ...warning, statusIds }))
        const resolvesReports = answersAllReports(action, parties)
        const request = {
          actId,
          accountId,
          staffId,
          reportId: warning.reportId ?? '',
          resolvesReports,
          ...onStatuses(act, statusIds),
          ...act.account,
        }
        await acts.addUnfinished({ actId, request })
        await requestFinish(tx, accountId)
      })
      // The job tries again.
      return finishActs(deps, call, accountId).catch(() => undefined)
    },
    /** Removes what is known here of a suspended account. @throws Failure not_found, forbidden */
    remove: async (call: Call, parties: Parties): Promise<void> => {
      const { isSuspended } = await judge(call, parties)
      if (!isSuspended) throw notAllowed(`${parties.accountId} is not suspended`)
      await transact(database.db, (tx) => new ActWriter(tx).add(log(parties, 'delete')))
      await statuses.accountLife.close(call, { id: parties.accountId })
    },
  }
}
