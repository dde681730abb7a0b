import { type Database, type Tx, transact } from '@rookery/database'
import { Failure, orNotFound } from '@rookery/failures'
import type { AuthTables } from '../../database/schema.ts'
import { isLoginTaken, type Logins } from '../../logins/index.ts'
import type { Throttle } from '../../throttle.ts'
import { requestConfirmation } from './send-confirmation.job.ts'

type Deps = {
  database: Database<AuthTables>
  logins: Logins
  throttle: Throttle
  /** Revokes password links that were mailed to the previous address. */
  forgetResets: (tx: Tx<AuthTables>, accountId: string) => Promise<void>
}

/** One rate limit per account, for requests by page and by app. */
const countMail = ({ throttle }: Pick<Deps, 'throttle'>, accountId: string) => throttle([{ limit: 'confirmations', by: accountId }])

/**
 * Sends the confirmation mail again; does nothing if the address is confirmed. Returns the seconds to wait if the rate limit is reached.
 */
export const resendMail =
  (deps: Omit<Deps, 'forgetResets'>) =>
  async (accountId: string): Promise<number | undefined> => {
    const retryAfterSeconds = await countMail(deps, accountId)
    if (retryAfterSeconds !== undefined) return retryAfterSeconds
    const login = await deps.logins.find(accountId)
    if (login && !login.confirmedAt) await transact(deps.database.db, (tx) => requestConfirmation(tx, accountId))
    return undefined
  }

const OTHER_APP = 'This method is only available to the application the user originally signed-up with'
const CONFIRMED = 'This method is only available while the e-mail is awaiting confirmation'

/**
 * Sends the confirmation mail again for the app the person signed up with, to another address if one is given (beyond-the-spec 2.1).
 * `emailTaken` makes the error for an address that is in use.
 * @throws Failure forbidden for another app and for a confirmed address, exhausted, not_found; the error of `emailTaken`
 */
export const resendForApp =
  (deps: Deps) =>
  async (request: { accountId: string; appId: string; email: string | undefined }, emailTaken: () => Error): Promise<void> => {
    const login = orNotFound(await deps.logins.find(request.accountId), `no login ${request.accountId}`)
    if (login.signUpAppId !== request.appId) throw new Failure('forbidden', OTHER_APP)
    if (login.confirmedAt) throw new Failure('forbidden', CONFIRMED)
    if ((await countMail(deps, login.accountId)) !== undefined) throw new Failure('exhausted', 'Too many requests')
    try {
      await transact(deps.database.db, async (tx) => {
        const { email } = request
        if (email) {
          await deps.logins.changeState(tx, login.accountId, ({ confirmedAt }) => (confirmedAt ? {} : { email }))
          await deps.forgetResets(tx, login.accountId)
        }
        await requestConfirmation(tx, login.accountId)
      })
    } catch (error) {
      throw isLoginTaken(error) ? emailTaken() : error
    }
  }
