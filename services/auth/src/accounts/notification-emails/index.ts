import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import type { Seals } from '../../web/http/index.ts'
import { findDigests } from './find-digests.job.ts'
import { DEFAULT_CHOICES, kindsFor, type MailChoices, type MailKind, STAFF_MAIL_PERMISSIONS, type StaffMailKind } from './mail-kinds.ts'
import { endChoice, readChoices, writeChoices } from './mail-preference.store.ts'
import type { StatusesDeps } from './read-subjects.ts'
import { requestMails } from './request-mails.consumer.ts'
import { sendDigest } from './send-digest.job.ts'
import { sendNotificationMail } from './send-notification-mail.job.ts'
import { unsubscribeLinks } from './unsubscribe-links.ts'

export { type EnvelopeDeps, envelopeFor } from './envelope.ts'
export { type Envelope, mailOf } from './notification-mail.ts'
export { unsubscribeLinks } from './unsubscribe-links.ts'
export { type MailChoices, type MailKind, STAFF_MAIL_PERMISSIONS, type StaffMailKind }

type Deps = StatusesDeps & {
  database: Database<AuthTables>
  outbox: Outbox
  clock: Clock
  logins: Logins
  mailer: Mailer
  seals: Seals
  baseUrl: string
}

/** Mail about notifications, for accounts that asked for it; and the preferences for all kinds of mail. */
export const createNotificationEmails = (deps: Deps) => {
  const { db } = deps.database
  const links = unsubscribeLinks(deps)
  const sending = { ...deps, links }
  return {
    /** The kinds of mail that an account can get. */
    kindsOf: async (accountId: string): Promise<MailKind[]> => kindsFor((await deps.logins.find(accountId))?.role ?? 'user'),
    /** The kinds of mail that an account wants; by default none about notifications, and all for staff. */
    choicesOf: async (accountId: string): Promise<MailChoices> => (await readChoices(db, accountId)) ?? DEFAULT_CHOICES,
    choose: (accountId: string, choices: Partial<MailChoices>) => writeChoices(db, accountId, choices),
    /** The kind of mail that the link with this token unsubscribes; undefined if the token is invalid. */
    kindOf: async (token: string): Promise<MailKind | undefined> => (await links.read(token))?.kind,
    /** Unsubscribes by the token of a link. Returns the kind of mail; undefined if the token is invalid. */
    async unsubscribe(token: string): Promise<MailKind | undefined> {
      const named = await links.read(token)
      if (named) await endChoice(db, named.accountId, named.kind)
      return named?.kind
    },
    consumers: [requestMails(deps)],
    jobs: [sendNotificationMail(sending), sendDigest(sending), findDigests(deps)],
  }
}

export type NotificationEmails = ReturnType<typeof createNotificationEmails>
