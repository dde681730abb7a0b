import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { type Limit, subscriberOf, type Throttle } from '../throttle.ts'
import { startOfWeek, stateOf } from './login.rules.ts'
import { LoginReader, LoginWriter } from './login.store.ts'
import { isNobodysPassword, isPassword } from './password.ts'

/** What came of an attempt to sign in. The last three are told only to whoever knows the password. */
export type SignIn =
  | { outcome: 'welcome'; accountId: string }
  | { outcome: 'wrong' }
  | { outcome: 'exhausted'; retryAfterSeconds: number }
  | { outcome: 'unconfirmed' | 'pending' | 'disabled'; accountId: string }

const PER_ADDRESS: Limit = { name: 'sign-in.address', most: 25, windowSeconds: 300 }
/** Tries of a password, wherever it is asked for. */
export const PER_LOGIN: Limit = { name: 'sign-in.login', most: 10, windowSeconds: 300 }

type Given = { database: Database<AuthTables>; clock: Clock; throttle: Throttle }

/** Notes that somebody signed in, for the instance's weekly activity. */
export const recordSignIn =
  (given: Pick<Given, 'database' | 'clock'>) =>
  async (accountId: string): Promise<void> => {
    const now = given.clock.now()
    const week = startOfWeek(now).toISOString().slice(0, 10)
    await transact(given.database.db, (tx) => new LoginWriter(tx).recordSignIn(accountId, new Date(now), week))
  }

/**
 * Checks an e-mail address and a password. An address nobody has takes as long and answers the same as a wrong password; 25 attempts an
 * address and 10 a login are allowed in 5 minutes (beyond-the-spec 1.5).
 */
export const signIn =
  (given: Given) =>
  async (attempt: { email: string; password: string; address: string }): Promise<SignIn> => {
    const email = attempt.email.trim().toLowerCase()
    const retryAfterSeconds = await given.throttle([
      { limit: PER_ADDRESS, subject: subscriberOf(attempt.address) },
      { limit: PER_LOGIN, subject: email },
    ])
    if (retryAfterSeconds !== undefined) return { outcome: 'exhausted', retryAfterSeconds }
    const login = await new LoginReader(given.database.db).findByEmail(email)
    const isRight = login ? await isPassword(attempt.password, login.passwordHash) : await isNobodysPassword(attempt.password)
    if (!login || !isRight) return { outcome: 'wrong' }
    const state = stateOf(login)
    if (state !== 'active') return { outcome: state, accountId: login.accountId }
    await recordSignIn(given)(login.accountId)
    return { outcome: 'welcome', accountId: login.accountId }
  }
