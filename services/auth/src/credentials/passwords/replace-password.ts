import type { Tx } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import type { SecurityEmails } from '../../mail/security-emails/index.ts'
import type { Sessions } from '../../oauth/provider/index.ts'
import type { Tokens } from '../../oauth/tokens/index.ts'
import type { EmailChanges } from '../email-changes/index.ts'
import { ResetWriter } from './reset.store.ts'

export type ReplaceDeps = { logins: Logins; sessions: Sessions; tokens: Tokens; securityEmails: SecurityEmails; emailChanges: EmailChanges }

/**
 * Replaces a password and ends everything that the old one gave: sign-ins, codes, tokens, streams and links. Sessions and codes go before
 * tokens, so that a concurrent exchange of a code leaves no token behind. @throws Failure not_found
 */
export const replacePassword = async (deps: ReplaceDeps, tx: Tx<AuthTables>, accountId: string, passwordHash: string): Promise<void> => {
  const login = await deps.logins.changeState(tx, accountId, () => ({ passwordHash }))
  await new ResetWriter(tx).forgetOf(accountId)
  await deps.emailChanges.cancel(tx, accountId)
  await deps.sessions.endAll(tx, accountId)
  await deps.tokens.revokeWithin(tx, { accountId })
  await deps.securityEmails.send(tx, { to: login.email, locale: login.locale, kind: 'passwordChanged' })
}
