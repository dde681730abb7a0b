import { type Database, type Tx, transact } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import { type Login, type Logins, type Proved, unlocked } from '../../logins/index.ts'
import type { SecurityEmails } from '../../mail/security-emails/index.ts'
import { SecondFactorWriter } from './second-factor.store.ts'

type Deps = { database: Database<AuthTables>; logins: Logins; securityEmails: SecurityEmails }

/**
 * Turns a second factor off, for its person or for an operator; `also` runs in the same transaction, only if it was on. Returns the login in any case.
 * @throws Failure not_found; conflict as `holdProved`
 */
export const turnOff =
  (deps: Deps) =>
  (by: Proved | { accountId: string }, also: (tx: Tx<AuthTables>) => Promise<unknown> = async () => {}): Promise<Login> =>
    transact(deps.database.db, async (tx) => {
      // The row is locked first and the factor removed before the hash is unlocked: the hash of an account with a factor stays locked.
      const { accountId } = by
      await ('passwordHash' in by ? deps.logins.holdProved(tx, by) : deps.logins.hold(tx, accountId))
      const isOff = await new SecondFactorWriter(tx).remove(accountId)
      const login = await deps.logins.changeState(tx, accountId, ({ passwordHash }) => ({ passwordHash: unlocked(passwordHash) }))
      if (!isOff) return login
      await deps.securityEmails.send(tx, { to: login.email, locale: login.locale, kind: 'secondFactorOff' })
      await also(tx)
      return login
    })
