import { afterCommit, type Tx } from '@rookery/database'
import type { LiveChannel } from '@rookery/ephemeral'
import type { Outbox } from '@rookery/events'
import { Failure, orNotFound } from '@rookery/failures'
import type { AuthTables } from '../database/schema.ts'
import { loginClosed, loginStateChanged, signedUp } from './login.events.ts'
import { completesSignUp, endsOwnership, hasJoined, isActive } from './login.rules.ts'
import { type Login, type LoginChange, LoginWriter } from './login.store.ts'
import { requestSync, showJoined } from './sync-account.job.ts'

type Deps = {
  outbox: Outbox
  live: LiveChannel
  statuses: Parameters<typeof showJoined>[0]['statuses']
  onJoined: (tx: Tx<AuthTables>, accountId: string) => Promise<void>
}

/** Passes a changed state on to statuses: immediately for an account that joins, by a job for other changes and as a retry. */
const notifyStatuses = async (deps: Deps, tx: Tx<AuthTables>, before: Login, after: Login): Promise<void> => {
  const isJoining = hasJoined(after) && !hasJoined(before)
  const isOther = isActive(before) !== isActive(after) || before.role !== after.role
  if (isJoining || isOther) await requestSync(tx, after.accountId)
  if (!isJoining) return
  await deps.onJoined(tx, after.accountId)
  afterCommit(tx, () => showJoined(deps, after))
}

/**
 * Changes a login within a transaction; `decide` returns the change. A completed sign-up is published as an event. Statuses gets changes of
 * role and activity. A change of activity is also published as an event, and deactivation closes open streams after the commit. An account
 * that joins is visible in statuses when the transaction resolves, unless that call fails and is left to the job. Returns the changed login.
 * @throws Failure not_found; forbidden if the server would have no owner left
 */
export const changeState =
  (deps: Deps) =>
  async (tx: Tx<AuthTables>, accountId: string, decide: (login: Login) => LoginChange): Promise<Login> => {
    const writer = new LoginWriter(tx)
    const before = orNotFound(await writer.lock(accountId), `no login ${accountId}`)
    await writer.update(accountId, decide(before))
    const after = orNotFound(await writer.find(accountId))
    if (endsOwnership(before, after) && !(await writer.holdOwner())) {
      throw new Failure('forbidden', 'The last owner cannot be demoted, suspended, disabled or deleted')
    }
    if (completesSignUp(before, after)) await deps.outbox.append(tx, [signedUp(accountId)])
    await notifyStatuses(deps, tx, before, after)
    if (isActive(before) === isActive(after)) return after
    await deps.outbox.append(tx, [loginStateChanged(accountId, isActive(after))])
    if (!isActive(after)) afterCommit(tx, () => deps.live.publish(loginClosed(accountId)))
    return after
  }
