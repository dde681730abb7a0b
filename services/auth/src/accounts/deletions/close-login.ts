import { type Database, type Tx, transact } from '@rookery/database'
import { runSoon } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Login, Logins } from '../../logins/index.ts'
import type { SecurityEmails } from '../../mail/security-emails/index.ts'
import type { Sessions } from '../../oauth/provider/index.ts'
import type { Tokens } from '../../oauth/tokens/index.ts'
import { SERVICE } from '../../service.ts'
import { FINISH_DELETIONS, type FinishDeps, finishDeletion } from './finish-deletions.job.ts'

type Deps = FinishDeps & {
  database: Database<AuthTables>
  clock: Clock
  logins: Logins
  tokens: Tokens
  sessions: Sessions
  securityEmails: SecurityEmails
}

/** Options of a deletion: the kind of the mail, a check that may refuse by throwing, and further writes in the same transaction. */
type Closing = {
  kind?: 'accountClosed' | 'rejected' | 'none'
  judge?: (login: Login) => void
  also?: (tx: Tx<AuthTables>) => Promise<void>
}

/**
 * Deletes an account. The transaction that records the deletion also revokes the tokens, ends open streams and sign-ins, and adds a job
 * that retries. Then statuses closes the account and the login is deleted.
 * @throws Failure not_found; forbidden for the last owner; what `judge` throws
 */
export const closeLogin =
  (deps: Deps) =>
  async (accountId: string, { kind = 'accountClosed', judge = () => {}, also = async () => {} }: Closing = {}): Promise<void> => {
    const now = new Date(deps.clock.now())
    await transact(deps.database.db, async (tx) => {
      const login = await deps.logins.changeState(tx, accountId, (before) => {
        judge(before)
        return { closingAt: before.closingAt ?? now }
      })
      await deps.sessions.endAll(tx, accountId)
      await deps.tokens.revokeWithin(tx, { accountId })
      if (kind !== 'none') await deps.securityEmails.send(tx, { to: login.email, locale: login.locale, kind })
      await also(tx)
      await runSoon(tx, SERVICE, FINISH_DELETIONS)
    })
    // The job retries.
    await finishDeletion(deps, accountId).catch(() => {})
  }
