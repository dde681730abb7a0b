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

/** Has statuses learn of what it keeps too: at once of who joins, by a job of the rest and where that fails. */
const notifyStatuses = async (deps: Deps, tx: Tx<AuthTables>, before: Login, after: Login): Promise<void> => {
  const isJoining = hasJoined(after) && !hasJoined(before)
  const isOther = isActive(before) !== isActive(after) || before.role !== after.role
  if (isJoining || isOther) await requestSync(tx, after.accountId)
  if (!isJoining) return
  await deps.onJoined(tx, after.accountId)
  afterCommit(tx, () => showJoined(deps, after))
}

/**
 * Changes a login within a transaction; `decide` says how, from what it is now. A sign-up that this completes is an event of its own. Another
 * role is sent to statuses. When the change makes the person active or inactive, the event, the word to statuses and, after the commit, the
 * message that closes open streams go with it. Who joins by it is there for others before the caller goes on. Returns the login as it is then.
 * @throws Failure not_found; forbidden where the server would have no owner left
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
