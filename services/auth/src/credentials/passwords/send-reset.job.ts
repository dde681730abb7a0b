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
      const found = await deps.logins.findNamed(callWithin(20), email)
      if (!found) return
      const made = await transact(deps.database.db, async (tx) => {
        // Locked: a change of the address ends the links that were made for the one before, and must see this one.
        const login = await deps.logins.hold(tx, found.accountId)
        return login && { to: login.email, locale: login.locale, link: await deps.makeLink(tx, login.accountId, LINK_LIVES_MILLISECONDS) }
      })
      if (made) await deps.mailer.send(linkMail('resetMail', { ...made, host: new URL(deps.baseUrl).host }))
    },
  })
