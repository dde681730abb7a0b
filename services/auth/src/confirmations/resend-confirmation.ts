import { type Database, transact } from '@rookery/database'
import { notAllowed, orNotFound } from '@rookery/failures'
import type { AuthTables } from '../database/schema.ts'
import { isLoginTaken, type Logins } from '../logins/index.ts'
import { requestConfirmation } from './send-confirmation.job.ts'

type Given = { database: Database<AuthTables>; logins: Logins }

/** Has the mail sent once more to the address there is. Does nothing when the address is confirmed. */
export const resendMail =
  (given: Given) =>
  async (accountId: string): Promise<void> => {
    const login = await given.logins.find(accountId)
    if (login && !login.confirmedAt) await transact(given.database.db, (tx) => requestConfirmation(tx, accountId))
  }

/**
 * Has the mail sent again on behalf of the app the person signed up with, to another address when one is given (beyond-the-spec 2.1).
 * `emailTaken` makes the failure for an address that belongs to somebody else.
 * @throws Failure forbidden for another app and for a confirmed address, not_found, and what emailTaken makes
 */
export const resendForApp =
  (given: Given) =>
  async (request: { accountId: string; appId: string; email: string | undefined }, emailTaken: () => Error): Promise<void> => {
    const login = orNotFound(await given.logins.find(request.accountId), `no login ${request.accountId}`)
    if (login.signUpAppId !== request.appId) throw notAllowed('the person signed up with another app')
    if (login.confirmedAt) throw notAllowed('the address is confirmed')
    try {
      await transact(given.database.db, async (tx) => {
        const { email } = request
        if (email) await given.logins.changeState(tx, login.accountId, () => ({ email }))
        await requestConfirmation(tx, login.accountId)
      })
    } catch (error) {
      throw isLoginTaken(error) ? emailTaken() : error
    }
  }
