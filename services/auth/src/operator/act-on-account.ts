import type { Login as LoginMessage } from '@rookery/contracts/auth'
import type { AccountsDefinition, ModerationDefinition } from '@rookery/contracts/statuses'
import { Failure, orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { Login, Logins } from '../logins/index.ts'
import type { AccountActs, ActName, EndName } from '../moderation/index.ts'
import { findAccount } from './find-account.ts'
import { loginMessage } from './login.message.ts'
import { roleOf } from './role.rules.ts'

type Deps = {
  logins: Logins
  acts: AccountActs
  statuses: { accounts: Client<AccountsDefinition>; moderation: Client<ModerationDefinition> }
}

/** The state that an act reverses, as a word. Acts that limit an account may be repeated: they close streams again. */
const TAKEN_BACK: Partial<Record<ActName, string>> = {
  enable: 'disabled',
  unsilence: 'silenced',
  unsuspend: 'suspended',
  unmemorialize: 'a memorial',
}

/** Only statuses knows who is silenced; while it has unfinished acts, the account may be. */
const mayBeSilenced = async ({ acts, statuses }: Deps, call: Call, accountId: string): Promise<boolean> => {
  if (await acts.areUnfinished(accountId)) return true
  const { accounts } = await statuses.moderation.listAccounts(call, { among: { ids: [accountId] }, isSilenced: true })
  return accounts.length > 0
}

/**
 * Refuses to reverse what is not in force: the operator may have mistaken the account, and the log records only changes.
 * @throws Failure forbidden
 */
const refuseNoChange = async (deps: Deps, call: Call, action: ActName, accountId: string): Promise<void> => {
  const word = TAKEN_BACK[action]
  const login = word && (await deps.logins.find(accountId))
  if (!login) return
  const since = { enable: login.disabledAt, unsuspend: login.suspendedAt, unmemorialize: login.memorialAt }
  const isSo = action === 'unsilence' ? await mayBeSilenced(deps, call, accountId) : since[action as keyof typeof since] !== null
  if (!isSo) throw new Failure('forbidden', `The account is not ${word}`)
}

/** The operator's acts on accounts, by username: those of staff, and more. Each returns the login. @throws Failure not_found */
export const accountActs = (deps: Deps) => {
  const acting = async (call: Call, username: string, act: (accountId: string) => Promise<Login>): Promise<LoginMessage> => {
    const account = await findAccount(deps.statuses.accounts, call, username)
    return loginMessage(await act(account.id), account.username)
  }
  const does = (call: Call, username: string, action: ActName) =>
    acting(call, username, async (accountId) => {
      await refuseNoChange(deps, call, action, accountId)
      return (await deps.acts.act(call, action, { accountId })).login
    })
  const ends = (call: Call, username: string, end: EndName) =>
    acting(call, username, async (accountId) => {
      const login = orNotFound(await deps.logins.find(accountId), `no login ${accountId}`)
      await deps.acts.end(end, { accountId }, `@${username}`)
      return login
    })
  return {
    setDisabled: (call: Call, { username, isDisabled }: { username: string; isDisabled: boolean }) =>
      does(call, username, isDisabled ? 'disable' : 'enable'),
    setSilenced: (call: Call, { username, isSilenced }: { username: string; isSilenced: boolean }) =>
      does(call, username, isSilenced ? 'silence' : 'unsilence'),
    setSuspended: (call: Call, { username, isSuspended }: { username: string; isSuspended: boolean }) =>
      does(call, username, isSuspended ? 'suspend' : 'unsuspend'),
    setMemorial: (call: Call, { username, isMemorial }: { username: string; isMemorial: boolean }) =>
      does(call, username, isMemorial ? 'memorialize' : 'unmemorialize'),
    setRole: (call: Call, request: { username: string; role: string }) => {
      const role = roleOf(request.role)
      return acting(call, request.username, (accountId) => deps.acts.changeRole({ accountId }, role))
    },
    approve: (call: Call, { username }: { username: string }) => does(call, username, 'approve'),
    reject: (call: Call, { username }: { username: string }) => ends(call, username, 'reject'),
    deleteAccount: (call: Call, { username }: { username: string }) => ends(call, username, 'delete'),
  }
}
