import type { Database } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import { isActive, type Logins } from '../../logins/index.ts'
import { DEFAULT_CHOICES, kindsFor, type MailKind } from './mail-kinds.ts'
import { readChoices } from './mail-preference.store.ts'
import type { Envelope } from './notification-mail.ts'
import type { UnsubscribeLinks } from './unsubscribe-links.ts'

export type EnvelopeDeps = { database: Database<AuthTables>; logins: Logins; links: UnsubscribeLinks; baseUrl: string }

/** The envelope of a mail; undefined if the account may not sign in, may no longer get mail of this kind, or does not want it. */
export const envelopeFor =
  ({ database, logins, links, baseUrl }: EnvelopeDeps) =>
  async (accountId: string, kind: MailKind, name: string): Promise<Envelope | undefined> => {
    const [login, choices] = await Promise.all([logins.find(accountId), readChoices(database.db, accountId)])
    if (!login || !isActive(login) || !kindsFor(login.role).includes(kind) || !(choices ?? DEFAULT_CHOICES)[kind]) return undefined
    const { email: to, locale } = login
    const id = `<${name}.${accountId}@${new URL(baseUrl).hostname}>`
    return { to, locale, baseUrl, id, unsubscribe: await links.linkOf({ accountId, kind }) }
  }
