import { type Job, job } from '@rookery/jobs'
import type { Mailer } from '../../mail/mailer/index.ts'
import type { DueMail } from './due-mails.rules.ts'
import { type EnvelopeDeps, envelopeFor } from './envelope.ts'
import { notificationMail } from './notification-mail.ts'
import { readSubjects, type StatusesDeps } from './read-subjects.ts'

export const SEND_NOTIFICATION_MAIL = 'send-notification-mail'

/**
 * Sends the mail about a notification, unless its recipient no longer wants it or may not see its subject. A process killed after sending
 * sends it again, with the same Message-ID.
 */
export const sendNotificationMail = (deps: EnvelopeDeps & StatusesDeps & { mailer: Mailer }): Job => {
  const envelopeOf = envelopeFor(deps)
  return job<DueMail>({
    name: SEND_NOTIFICATION_MAIL,
    lane: 'notification-mail',
    async run({ accountId, notificationId, kind, actorId, statusId }) {
      const envelope = await envelopeOf(accountId, kind, `notification-${notificationId}`)
      if (!envelope) return
      const type = kind === 'followRequest' ? 'follow_request' : kind
      const [subject] = await readSubjects(deps, accountId, [{ type, actorId, statusId }])
      if (subject) await deps.mailer.send(notificationMail(envelope, kind, subject))
    },
  })
}
