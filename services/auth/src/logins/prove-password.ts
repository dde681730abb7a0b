import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { AuthTables } from '../database/schema.ts'
import type { Throttle } from '../throttle.ts'
import type { Proved } from './login.rules.ts'
import { LoginReader } from './login.store.ts'
import { isPassword } from './password.ts'

/** The result of checking a signed-in person's password; `exhausted` when the rate limit is reached. */
export type Proof = { outcome: 'right'; proved: Proved } | { outcome: 'wrong' } | { outcome: 'exhausted'; retryAfterSeconds: number }

/** Re-authenticates a signed-in person by password. Attempts share the rate limit of sign-in. @throws Failure not_found */
export const provePassword =
  (deps: { database: Database<AuthTables>; throttle: Throttle }) =>
  async (accountId: string, password: string): Promise<Proof> => {
    const login = orNotFound(await new LoginReader(deps.database.db).find(accountId), `no login ${accountId}`)
    const retryAfterSeconds = await deps.throttle([{ limit: 'passwords', by: accountId }])
    if (retryAfterSeconds !== undefined) return { outcome: 'exhausted', retryAfterSeconds }
    return (await isPassword(password, login.passwordHash)) ? { outcome: 'right', proved: login } : { outcome: 'wrong' }
  }
