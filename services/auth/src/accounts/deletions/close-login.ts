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

/** Which mail tells of it; who may refuse it, by throwing; what is written in the same transaction. */
type Closing = {
  kind?: 'accountClosed' | 'rejected' | 'none'
  judge?: (login: Login) => void
  also?: (tx: Tx<AuthTables>) => Promise<void>
}

/**
 * Deletes someone's account. It is on record first, in the transaction that ends their tokens, streams and sign-ins; then statuses closes
 * the account and the login goes. What cannot be done now, a job does: it is asked for in that same transaction.
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
    // The job tries again.
    await finishDeletion(deps, accountId).catch(() => {})
  }
