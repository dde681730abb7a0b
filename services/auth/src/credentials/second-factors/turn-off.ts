import { type Database, type Tx, transact } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import { type Login, type Logins, unlocked } from '../../logins/index.ts'
import type { SecurityEmails } from '../../mail/security-emails/index.ts'
import { SecondFactorWriter } from './second-factor.store.ts'

type Deps = { database: Database<AuthTables>; logins: Logins; securityEmails: SecurityEmails }

/**
 * Turns a second factor off; `also` runs in the same transaction, only if it was on. Returns the login in any case.
 * @throws Failure not_found
 */
export const turnOff =
  (deps: Deps) =>
  (accountId: string, also: (tx: Tx<AuthTables>) => Promise<unknown> = async () => {}): Promise<Login> =>
    transact(deps.database.db, async (tx) => {
      // The row is locked first and the factor removed before the hash is unlocked: the hash of an account with a factor stays locked.
      await deps.logins.hold(tx, accountId)
      const isOff = await new SecondFactorWriter(tx).remove(accountId)
      const login = await deps.logins.changeState(tx, accountId, ({ passwordHash }) => ({ passwordHash: unlocked(passwordHash) }))
      if (!isOff) return login
      await deps.securityEmails.send(tx, { to: login.email, locale: login.locale, kind: 'secondFactorOff' })
      await also(tx)
      return login
    })
