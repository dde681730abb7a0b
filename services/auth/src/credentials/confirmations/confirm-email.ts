import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { type LoginState, type Logins, stateOf } from '../../logins/index.ts'
import { digestOf } from '../../secrets.ts'
import { ConfirmationReader } from './confirmation.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logins: Logins }

const isSame = (email: string, other: string) => email.toLowerCase() === other.toLowerCase()

/** Whether a link is valid: it has not expired, and the person's address has not changed since. */
export const isLinkGood =
  (deps: Deps) =>
  async (token: string): Promise<boolean> => {
    const sent = await new ConfirmationReader(deps.database.db).find(digestOf(token), new Date(deps.clock.now()))
    if (!sent) return false
    const login = await deps.logins.find(sent.accountId)
    return login !== undefined && isSame(login.email, sent.email)
  }

/**
 * Confirms the address that a link was sent to, and returns the state of the login; idempotent. Undefined if the link is unknown or
 * expired, or the person's address has changed since.
 */
export const confirmEmail =
  (deps: Deps) =>
  (token: string): Promise<LoginState | undefined> =>
    transact(deps.database.db, async (tx) => {
      const now = new Date(deps.clock.now())
      const sent = await new ConfirmationReader(tx).find(digestOf(token), now)
      if (!sent) return undefined
      const login = await deps.logins.changeState(tx, sent.accountId, ({ email, confirmedAt }) =>
        isSame(email, sent.email) && !confirmedAt ? { confirmedAt: now } : {},
      )
      return isSame(login.email, sent.email) ? stateOf(login) : undefined
    })
