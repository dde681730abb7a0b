import { type Job, job } from '@rookery/jobs'
import { type EnvelopeDeps, envelopeFor, type StaffMailKind } from '../../accounts/notification-emails/index.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import { staffMail } from './staff-mail.ts'
import type { Waiting } from './waiting.ts'

export const SEND_STAFF_MAIL = 'send-staff-mail'

/** A mail to one of the staff; `round` is when it was made, in milliseconds since 1970. */
export type StaffMailJob = { accountId: string; kind: StaffMailKind; round: number; waiting: Waiting }

/** Sends one of the staff the mail about what waits, unless they do not want it or may not deal with it any more. */
export const sendStaffMail = (deps: EnvelopeDeps & { mailer: Mailer }): Job => {
  const envelopeOf = envelopeFor(deps)
  return job<StaffMailJob>({
    name: SEND_STAFF_MAIL,
    lane: 'notification-mail',
    async run({ accountId, kind, round, waiting }) {
      const envelope = await envelopeOf(accountId, kind, `staff-${kind}-${round}`)
      if (envelope) await deps.mailer.send(staffMail(envelope, kind, waiting))
    },
  })
}
