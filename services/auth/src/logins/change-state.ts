import { afterCommit, type Tx } from '@rookery/database'
import type { LiveChannel } from '@rookery/ephemeral'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import { addJob } from '@rookery/jobs'
import type { AuthTables } from '../database/schema.ts'
import { SERVICE } from '../service.ts'
import { loginClosed, loginStateChanged } from './login.events.ts'
import { isActive } from './login.rules.ts'
import { type Login, type LoginChange, LoginWriter } from './login.store.ts'
import { TELL_STATUSES } from './tell-statuses.job.ts'

type Given = { outbox: Outbox; live: LiveChannel }

/**
 * Changes a login within a transaction; `decide` says how, from what it is now. When the change makes the person active or inactive, the fact, the word to statuses and, after the
 * commit, the message that closes open streams go with it. Answers with the login as it is then. @throws Failure not_found
 */
export const changeState =
  (given: Given) =>
  async (tx: Tx<AuthTables>, accountId: string, decide: (login: Login) => LoginChange): Promise<Login> => {
    const writer = new LoginWriter(tx)
    const before = orNotFound(await writer.lock(accountId), `no login ${accountId}`)
    await writer.update(accountId, decide(before))
    const after = orNotFound(await writer.find(accountId))
    if (isActive(before) === isActive(after)) return after
    await given.outbox.append(tx, [loginStateChanged(accountId, isActive(after))])
    await addJob(tx, SERVICE, TELL_STATUSES, { accountId }, { key: `${TELL_STATUSES}:${accountId}` })
    if (!isActive(after)) afterCommit(tx, () => given.live.publish(loginClosed(accountId)))
    return after
  }
