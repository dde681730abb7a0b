import { type Database, type Tx, transact } from '@rookery/database'
import { addJob, type Job, job, removeJob } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import { linkMail } from '../../mail/link-mail.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import { digestOf, makeSecret } from '../../secrets.ts'
import { SERVICE } from '../../service.ts'
import { type EmailChange, EmailChangeWriter } from './email-change.store.ts'

const SEND_EMAIL_CHANGE = 'send-email-change'
const LINK_LIVES_MILLISECONDS = 24 * 3600 * 1000

const keyOf = (accountId: string) => `${SEND_EMAIL_CHANGE}:${accountId}`

type Deps = { database: Database<AuthTables>; clock: Clock; logins: Logins; mailer: Mailer; baseUrl: string }

/** Stores a requested change and adds the job that mails its link, with the transaction. */
export const requestChange = async (tx: Tx<AuthTables>, change: EmailChange, now: number): Promise<void> => {
  await new EmailChangeWriter(tx).ask(change, new Date(now + LINK_LIVES_MILLISECONDS))
  await addJob(tx, SERVICE, SEND_EMAIL_CHANGE, change, { key: keyOf(change.accountId) })
}

/** Cancels a requested change: a mailed link becomes invalid, and a pending mail is not sent. */
export const cancelChange = async (tx: Tx<AuthTables>, accountId: string): Promise<void> => {
  await removeJob(tx, SERVICE, keyOf(accountId))
  await new EmailChangeWriter(tx).forgetOf(accountId)
}

/** Mails the link. Each attempt creates a new one, because only the token's digest is stored. */
export const sendEmailChange = (deps: Deps): Job =>
  job<EmailChange>({
    name: SEND_EMAIL_CHANGE,
    lane: 'mail',
    async run(change) {
      const login = await deps.logins.find(change.accountId)
      if (!login) return
      const token = makeSecret()
      const expiresAt = new Date(deps.clock.now() + LINK_LIVES_MILLISECONDS)
      // Cancelled meanwhile.
      if (!(await transact(deps.database.db, (tx) => new EmailChangeWriter(tx).link(digestOf(token), change, expiresAt)))) return
      const link = `${deps.baseUrl}/auth/account/email/confirm?token=${token}`
      await deps.mailer.send(
        linkMail('emailChangeMail', { to: change.email, locale: login.locale, link, host: new URL(deps.baseUrl).host }),
      )
    },
  })
