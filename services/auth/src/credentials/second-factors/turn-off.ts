import { type Database, type Tx, transact } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import { type Login, type Logins, unlocked } from '../../logins/index.ts'
import type { SecurityEmails } from '../../mail/security-emails/index.ts'
import { SecondFactorWriter } from './second-factor.store.ts'

type Deps = { database: Database<AuthTables>; logins: Logins; securityEmails: SecurityEmails }

/** Turns someone's second factor off; `also` is done in the same transaction. Returns the login, also where there was none. @throws Failure not_found */
export const turnOff =
  (deps: Deps) =>
  (accountId: string, also: (tx: Tx<AuthTables>) => Promise<unknown> = async () => {}): Promise<Login> =>
    transact(deps.database.db, async (tx) => {
      // The factor first: the password of someone who has one stays locked.
      await deps.logins.hold(tx, accountId)
      const isOff = await new SecondFactorWriter(tx).remove(accountId)
      const login = await deps.logins.changeState(tx, accountId, ({ passwordHash }) => ({ passwordHash: unlocked(passwordHash) }))
      if (!isOff) return login
      await deps.securityEmails.send(tx, { to: login.email, locale: login.locale, kind: 'secondFactorOff' })
      await also(tx)
      return login
    })
