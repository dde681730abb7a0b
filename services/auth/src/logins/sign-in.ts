import { type Database, transact } from '@rookery/database'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { Throttle } from '../throttle.ts'
import type { findNamed } from './find-named.ts'
import { type Proved, stateOf } from './login.rules.ts'
import { type Login, LoginWriter } from './login.store.ts'
import { countedName } from './login-name.rules.ts'
import { isPassword, isUnusedPassword } from './password.ts'
import type { Seen } from './seen.ts'

/** The result of an attempt to sign in. The last four are revealed only to a caller that knows the password. */
export type SignIn =
  | { outcome: 'welcome'; proved: Proved }
  | { outcome: 'wrong' }
  | { outcome: 'exhausted'; retryAfterSeconds: number }
  | { outcome: 'unconfirmed' | 'pending' | 'disabled' | 'second_factor'; accountId: string }

type Deps = {
  database: Database<AuthTables>
  clock: Clock
  throttle: Throttle
  findNamed: ReturnType<typeof findNamed>
  /** Host and port of this server, as in handles. */
  host: string
  seen: Seen
  hasSecondFactor: (accountId: string) => Promise<boolean>
}

/** Records a sign-in. */
export const recordSignIn =
  (deps: Pick<Deps, 'database' | 'clock' | 'seen'>) =>
  async (accountId: string): Promise<void> => {
    deps.seen.note([accountId])
    await transact(deps.database.db, (tx) => new LoginWriter(tx).recordSignIn(accountId, new Date(deps.clock.now())))
  }

/** Whether the password is that of the login; takes equally long without a login. */
const isPasswordOf = (login: Login | undefined, password: string): Promise<boolean> =>
  login ? isPassword(password, login.passwordHash) : isUnusedPassword(password)

/**
 * Signs in by e-mail address or username. An unknown name gets the same answer, after the same time, as a wrong password. Limits of 25
 * attempts per network address and 10 per login in 5 minutes (beyond-the-spec 1.5). A login with a second factor is not signed in yet.
 */
export const signIn =
  (deps: Deps) =>
  async (call: Call, attempt: { name: string; password: string; address: string }): Promise<SignIn> => {
    const name = attempt.name.trim()
    const login = await deps.findNamed(call, name)
    const retryAfterSeconds = await deps.throttle([
      { limit: 'signIns', by: attempt.address },
      login ? { limit: 'passwords', by: login.accountId } : { limit: 'unknownLogins', by: countedName(name, deps.host) },
    ])
    if (retryAfterSeconds !== undefined) return { outcome: 'exhausted', retryAfterSeconds }
    const isRight = await isPasswordOf(login, attempt.password)
    if (!login || !isRight) return { outcome: 'wrong' }
    const state = stateOf(login)
    if (state !== 'active') return { outcome: state, accountId: login.accountId }
    if (await deps.hasSecondFactor(login.accountId)) return { outcome: 'second_factor', accountId: login.accountId }
    await recordSignIn(deps)(login.accountId)
    return { outcome: 'welcome', proved: login }
  }
