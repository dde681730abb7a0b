import type { Tx } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import type { Notices } from '../../mail/security-emails/index.ts'
import type { Sessions } from '../../oauth/provider/index.ts'
import type { Tokens } from '../../oauth/tokens/index.ts'
import type { EmailChanges } from '../email-changes/index.ts'
import { ResetWriter } from './reset.store.ts'

export type ReplaceGiven = { logins: Logins; sessions: Sessions; tokens: Tokens; notices: Notices; emailChanges: EmailChanges }

/**
 * Puts a new password in the place of the old one. Whoever knew that is out: every sign-in, code, token, stream and link of the person ends.
 * Approvals go before tokens, so that a code being exchanged at this moment leaves none behind. @throws Failure not_found
 */
export const replacePassword = async (given: ReplaceGiven, tx: Tx<AuthTables>, accountId: string, passwordHash: string): Promise<void> => {
  const login = await given.logins.changeState(tx, accountId, () => ({ passwordHash }))
  await new ResetWriter(tx).forgetOf(accountId)
  await given.emailChanges.cancel(tx, accountId)
  await given.sessions.endAll(tx, accountId)
  await given.tokens.revokeWithin(tx, { accountId })
  await given.notices.send(tx, { to: login.email, locale: login.locale, kind: 'passwordChanged' })
}
