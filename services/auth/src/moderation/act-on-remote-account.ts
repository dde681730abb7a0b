import { mayActOn } from '@rookery/contracts/permissions'
import { AccountBody, type AccountLifeDefinition, type AccountView } from '@rookery/contracts/statuses'
import { transact } from '@rookery/database'
import { notAllowed, orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { Logins } from '../logins/index.ts'
import { ACTS, type Act, type ActName, chosenStatuses } from './act.rules.ts'
import { ActWriter } from './act.store.ts'
import { type FinishDeps, finishActs } from './finish-acts.job.ts'
import { type Parties, requestAct, type Warning, writeAct } from './record-act.ts'

type Deps = FinishDeps & {
  clock: Clock
  logins: Logins
  statuses: FinishDeps['statuses'] & { accountLife: Client<AccountLifeDefinition> }
}
type RemoteParties = Parties & { staffId: string }

/**
 * Reads a remote account that staff may act on. @throws Failure not_found for anything but a remote account, forbidden if staff may not act
 */
const judge = async ({ statuses, logins }: Deps, call: Call, { accountId, staffId }: RemoteParties): Promise<AccountBody> => {
  const { accounts } = await statuses.moderation.listAccounts(call, { among: { ids: [accountId] } })
  const account = AccountBody.decode(orNotFound(accounts[0], `no account ${accountId}`).body)
  orNotFound(account.origin, `${accountId} is of this server, without a login`)
  const actor = staffId ? orNotFound(await logins.find(staffId), `staff ${staffId} is gone`) : undefined
  if (!mayActOn(actor, { accountId, role: 'user' })) throw notAllowed(`${staffId} may not act on ${accountId}`)
  return account
}

/** Acts of staff on remote accounts. Without a login and a mail address, only statuses has anything to change. */
export const actOnRemoteAccount = (deps: Deps) => {
  const { database, statuses } = deps
  const now = () => new Date(deps.clock.now())
  return {
    /** Performs an act. @throws Failure not_found, forbidden; forbidden also for acts on logins */
    act: async (call: Call, action: ActName, parties: RemoteParties, warning: Warning): Promise<AccountView | undefined> => {
      await judge(deps, call, parties)
      const act: Act = ACTS[action]
      const statusIds = chosenStatuses(act, warning.statusIds ?? [])
      if (!act.account && !act.statuses && action !== 'none') throw notAllowed(`${action} is for accounts of this server`)
      await transact(database.db, async (tx) => {
        await new ActWriter(tx).inOrder(parties.accountId)
        const about = { ...warning, statusIds }
        await requestAct(tx, action, parties, { ...about, actId: await writeAct(tx, action, parties, about, now()) })
      })
      // The job retries.
      return finishActs(deps, call, parties.accountId).catch(() => undefined)
    },
    /** Deletes all local data of a suspended account. @throws Failure not_found, forbidden */
    remove: async (call: Call, parties: RemoteParties): Promise<void> => {
      const { isSuspended, username, origin } = await judge(deps, call, parties)
      if (!isSuspended) throw notAllowed(`${parties.accountId} is not suspended`)
      await transact(database.db, (tx) => writeAct(tx, 'delete', parties, { handle: `@${username}@${origin?.domain}` }, now()))
      await statuses.accountLife.close(call, { id: parties.accountId })
    },
  }
}
