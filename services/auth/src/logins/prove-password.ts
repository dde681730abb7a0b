import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { AuthTables } from '../database/schema.ts'
import type { Throttle } from '../throttle.ts'
import { LoginReader } from './login.store.ts'
import { isPassword } from './password.ts'

/** Whether someone signed in knows their password; or the seconds to wait after too many tries. */
export type Proof = { outcome: 'right' } | { outcome: 'wrong' } | { outcome: 'exhausted'; retryAfterSeconds: number }

/** Asks a person who is signed in for their password once more. Tries count together with those of signing in. @throws Failure not_found */
export const provePassword =
  (deps: { database: Database<AuthTables>; throttle: Throttle }) =>
  async (accountId: string, password: string): Promise<Proof> => {
    const login = orNotFound(await new LoginReader(deps.database.db).find(accountId), `no login ${accountId}`)
    const retryAfterSeconds = await deps.throttle([{ limit: 'passwords', by: accountId }])
    if (retryAfterSeconds !== undefined) return { outcome: 'exhausted', retryAfterSeconds }
    return { outcome: (await isPassword(password, login.passwordHash)) ? 'right' : 'wrong' }
  }
