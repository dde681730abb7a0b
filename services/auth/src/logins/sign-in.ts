import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { Throttle } from '../throttle.ts'
import { startOfWeek, stateOf } from './login.rules.ts'
import { LoginReader, LoginWriter } from './login.store.ts'
import { isNobodysPassword, isPassword } from './password.ts'

/** What came of an attempt to sign in. The last three are told only to whoever knows the password. */
export type SignIn =
  | { outcome: 'welcome'; accountId: string }
  | { outcome: 'wrong' }
  | { outcome: 'exhausted'; retryAfterSeconds: number }
  | { outcome: 'unconfirmed' | 'pending' | 'disabled'; accountId: string }

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
    const login = await new LoginReader(given.database.db).findByEmail(email)
    const retryAfterSeconds = await given.throttle([
      { limit: 'signIns', by: attempt.address },
      login ? { limit: 'passwords', by: login.accountId } : { limit: 'unknownLogins', by: email },
    ])
    if (retryAfterSeconds !== undefined) return { outcome: 'exhausted', retryAfterSeconds }
    const isRight = login ? await isPassword(attempt.password, login.passwordHash) : await isNobodysPassword(attempt.password)
    if (!login || !isRight) return { outcome: 'wrong' }
    const state = stateOf(login)
    if (state !== 'active') return { outcome: state, accountId: login.accountId }
    await recordSignIn(given)(login.accountId)
    return { outcome: 'welcome', accountId: login.accountId }
  }
