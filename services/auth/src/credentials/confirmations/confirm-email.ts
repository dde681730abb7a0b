import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { type LoginState, type Logins, stateOf } from '../../logins/index.ts'
import { digestOf } from '../../secrets.ts'
import { ConfirmationReader } from './confirmation.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logins: Logins }

const isSame = (email: string, other: string) => email.toLowerCase() === other.toLowerCase()

/** Whether a link can still be followed: it is not too old, and the person has no other address by now. */
export const isLinkGood =
  (deps: Deps) =>
  async (token: string): Promise<boolean> => {
    const sent = await new ConfirmationReader(deps.database.db).find(digestOf(token), new Date(deps.clock.now()))
    if (!sent) return false
    const login = await deps.logins.find(sent.accountId)
    return login !== undefined && isSame(login.email, sent.email)
  }

/**
 * Confirms the address a link was sent to and returns the state the login is in then; following the link again answers the same.
 * Undefined when there is no such link, it is too old, or the person has another address by now.
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
