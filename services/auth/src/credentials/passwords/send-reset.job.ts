import { type Database, transact } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import { callWithin } from '@rookery/rpc/call-within'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import { linkMail } from '../../mail/link-mail.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import type { makeLink } from './make-link.ts'

export const SEND_RESET = 'send-password-reset'
const LINK_LIVES_MILLISECONDS = 3600 * 1000

type Deps = { database: Database<AuthTables>; logins: Logins; mailer: Mailer; baseUrl: string; makeLink: ReturnType<typeof makeLink> }

/**
 * Mails the link, if there is such a login; `email` is an e-mail address or a username. Each attempt creates a new link, because only the
 * token's digest is stored.
 */
export const sendReset = (deps: Deps): Job =>
  job<{ email: string }>({
    name: SEND_RESET,
    lane: 'mail',
    async run({ email }) {
      const login = await deps.logins.findNamed(callWithin(20), email)
      if (!login) return
      const link = await transact(deps.database.db, (tx) => deps.makeLink(tx, login.accountId, LINK_LIVES_MILLISECONDS))
      await deps.mailer.send(linkMail('resetMail', { to: login.email, locale: login.locale, link, host: new URL(deps.baseUrl).host }))
    },
  })
