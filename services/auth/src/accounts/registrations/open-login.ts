import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { addJob, removeJob } from '@rookery/jobs'
import type { Call, Client } from '@rookery/rpc'
import type { Confirmations } from '../../credentials/confirmations/index.ts'
import type { AuthTables } from '../../database/schema.ts'
import { isLoginTaken, type Logins } from '../../logins/index.ts'
import { SERVICE } from '../../service.ts'
import { type Invites, isInviteFault } from '../invites/index.ts'
import { type Attempt, AttemptWriter } from './attempt.store.ts'
import { registrationInvalid, violation } from './violations.ts'

export const COMPLETE_SIGN_UP = 'settle-sign-up'
/** Longer than all calls of a sign-up take, so that the job never runs concurrently with it, in milliseconds. */
const COMPLETE_AFTER_MILLISECONDS = 120_000

export type OpenDeps = {
  database: Database<AuthTables>
  statuses: { accounts: Client<AccountsDefinition> }
  logins: Logins
  confirmations: Confirmations
  invites: Pick<Invites, 'use'>
}

const completionKey = (accountId: string) => `${COMPLETE_SIGN_UP}:${accountId}`

/** Step one of a sign-up: records the attempt, with the job that completes it if this process dies. */
export const recordAttempt = (deps: Pick<OpenDeps, 'database'>, attempt: Attempt): Promise<void> =>
  transact(deps.database.db, async (tx) => {
    await new AttemptWriter(tx).add(attempt)
    const runAt = new Date(Date.now() + COMPLETE_AFTER_MILLISECONDS)
    await addJob(tx, SERVICE, COMPLETE_SIGN_UP, { accountId: attempt.accountId }, { key: completionKey(attempt.accountId), runAt })
  })

const forget = async (tx: Tx<AuthTables>, accountId: string) => {
  await new AttemptWriter(tx).remove(accountId)
  await removeJob(tx, SERVICE, completionKey(accountId))
}

/** Step two: opens the account in statuses. @throws Failure invalid if the username is taken; the attempt is deleted then */
const openAccount = async (deps: OpenDeps, call: Call, attempt: Attempt) => {
  try {
    await deps.statuses.accounts.open(call, {
      id: attempt.accountId,
      username: attempt.username,
      createdAtMilliseconds: attempt.createdAt.getTime(),
      isActive: attempt.isConfirmed && attempt.isApproved,
      locale: attempt.locale,
      role: attempt.role === 'user' ? undefined : attempt.role,
    })
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'conflict') throw error
    await transact(deps.database.db, (tx) => forget(tx, attempt.accountId))
    throw registrationInvalid([violation('username', 'ERR_TAKEN')])
  }
}

const addLogin = async (deps: OpenDeps, tx: Tx<AuthTables>, attempt: Attempt) => {
  await deps.logins.add(tx, {
    accountId: attempt.accountId,
    email: attempt.email,
    passwordHash: attempt.passwordHash,
    role: attempt.role,
    locale: attempt.locale,
    reason: attempt.reason,
    signUpAddress: attempt.address,
    signUpAppId: attempt.appId,
    createdAt: attempt.createdAt,
    confirmedAt: attempt.isConfirmed ? attempt.createdAt : null,
    approvedAt: attempt.isApproved ? attempt.createdAt : null,
    disabledAt: null,
    suspendedAt: null,
    memorialAt: null,
    closingAt: null,
  })
  const { accountId, isConfirmed, isApproved, inviteId } = attempt
  if (!isConfirmed) await deps.confirmations.request(tx, accountId)
  if (inviteId) await deps.invites.use(tx, inviteId, { accountId, hasJoined: isConfirmed && isApproved })
  await forget(tx, attempt.accountId)
}

/**
 * Steps two and three of a sign-up: opens the account in statuses, then writes the login and what `also` adds in the same transaction. Both
 * steps are idempotent; if one finds that the sign-up is impossible, it is undone.
 * @throws Failure invalid if the username or the address is taken, forbidden if the invitation was used up; other errors leave the attempt
 * to the job
 */
export const openLogin = async <Result>(
  deps: OpenDeps,
  call: Call,
  attempt: Attempt,
  also: (tx: Tx<AuthTables>) => Promise<Result>,
): Promise<Result> => {
  await openAccount(deps, call, attempt)
  try {
    return await transact(deps.database.db, async (tx) => {
      await addLogin(deps, tx, attempt)
      return also(tx)
    })
  } catch (error) {
    const isTaken = isLoginTaken(error)
    if (!isTaken && !isInviteFault(error)) throw error
    // The same request, sent twice concurrently, was faster: its account must stay.
    if (await deps.logins.find(attempt.accountId)) return transact(deps.database.db, also)
    await deps.statuses.accounts.withdraw(call, { id: attempt.accountId })
    await transact(deps.database.db, (tx) => forget(tx, attempt.accountId))
    throw isTaken ? registrationInvalid([violation('email', 'ERR_TAKEN')]) : error
  }
}

/** Completes an interrupted attempt, or undoes it if it is no longer possible. */
export const completeAttempt = async (deps: OpenDeps, call: Call, attempt: Attempt): Promise<void> => {
  try {
    await openLogin(deps, call, attempt, async () => {})
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind !== 'invalid' && !isInviteFault(error))) throw error
  }
}
