import { type Database, type Tx, transact } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import { linkMail } from '../../mail/link-mail.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import { digestOf, makeSecret } from '../../secrets.ts'
import { SERVICE } from '../../service.ts'
import { ConfirmationWriter } from './confirmation.store.ts'

const SEND_CONFIRMATION = 'send-confirmation'
const LINK_LIVES_MILLISECONDS = 7 * 24 * 3600 * 1000

type Deps = { database: Database<AuthTables>; clock: Clock; logins: Logins; mailer: Mailer; baseUrl: string }

/** Adds the job that sends the confirmation mail, with the transaction; a job that still waits is replaced. */
export const requestConfirmation = (tx: Tx<AuthTables>, accountId: string): Promise<void> =>
  addJob(tx, SERVICE, SEND_CONFIRMATION, { accountId }, { key: `${SEND_CONFIRMATION}:${accountId}` })

/** Sends the confirmation mail. Each attempt creates a new link, because only the token's digest is stored. */
export const sendConfirmation = (deps: Deps): Job =>
  job<{ accountId: string }>({
    name: SEND_CONFIRMATION,
    lane: 'mail',
    async run({ accountId }) {
      const login = await deps.logins.find(accountId)
      if (!login || login.confirmedAt) return
      const token = makeSecret()
      const expiresAt = new Date(deps.clock.now() + LINK_LIVES_MILLISECONDS)
      await transact(deps.database.db, (tx) => new ConfirmationWriter(tx).add(digestOf(token), login, expiresAt))
      const link = `${deps.baseUrl}/auth/confirmation?token=${token}`
      await deps.mailer.send(linkMail('mail', { to: login.email, locale: login.locale, link, host: new URL(deps.baseUrl).host }))
    },
  })
