import type { UnreadNotificationsListed } from '@rookery/contracts/events'
import { type Job, job } from '@rookery/jobs'
import type { Mailer } from '../../mail/mailer/index.ts'
import { type EnvelopeDeps, envelopeFor } from './envelope.ts'
import { digestMail } from './notification-mail.ts'
import { readSubjects, type StatusesDeps } from './read-subjects.ts'

export const SEND_DIGEST = 'send-digest'

/** The maximum number of notifications in the event. */
const MAX_LISTED = 40

/** Sends the digest of those unread notifications that the recipient may see; none if there are none. */
export const sendDigest = (deps: EnvelopeDeps & StatusesDeps & { mailer: Mailer }): Job => {
  const envelopeOf = envelopeFor(deps)
  return job<UnreadNotificationsListed>({
    name: SEND_DIGEST,
    lane: 'notification-mail',
    async run({ accountId, notifications }) {
      const envelope = await envelopeOf(accountId, 'digest', `digest-${notifications[0]?.id}`)
      if (!envelope) return
      const subjects = await readSubjects(deps, accountId, notifications)
      if (subjects.length > 0) await deps.mailer.send(digestMail(envelope, subjects, notifications.length === MAX_LISTED))
    },
  })
}
