import { type Job, job } from '@rookery/jobs'
import { type EnvelopeDeps, envelopeFor, type StaffMailKind } from '../../accounts/notification-emails/index.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import { staffMail } from './staff-mail.ts'
import type { Waiting } from './waiting.ts'

export const SEND_STAFF_MAIL = 'send-staff-mail'

/** A mail to a member of staff; `round` is the time when the job was added, in milliseconds since 1970. */
export type StaffMailJob = { accountId: string; kind: StaffMailKind; round: number; waiting: Waiting }

/** Sends a member of staff the mail about pending items, unless they no longer want it or lost the permission. */
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
