import { type Consumer, consumer } from '@rookery/events'
import type { AuthTables } from '../../database/schema.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import { requestRound } from './begin-staff-mails.job.ts'
import { hasUnapproved } from './staff-mail.store.ts'

type Deps = { mailer: Mailer }

const ofReports = ({ mailer }: Deps): Consumer<AuthTables> =>
  consumer({
    name: 'auth.report-mails',
    topic: 'statuses.v1',
    kinds: ['reportFiled'],
    isUnhurried: true,
    concerns: () => mailer.canSend,
    handle: (tx) => requestRound(tx, 'report'),
  })

const ofPeople = ({ mailer }: Deps): Consumer<AuthTables> =>
  consumer({
    name: 'auth.staff-mails',
    topic: 'auth.v1',
    kinds: ['signedUp', 'appealChanged'],
    isUnhurried: true,
    concerns: () => mailer.canSend,
    async handle(tx, received) {
      const isAppealed = received.some(({ event }) => event.$case === 'appealChanged' && event.value.appeal?.state === 'pending')
      if (isAppealed) await requestRound(tx, 'appeal')
      const newcomers = received.flatMap(({ event }) => (event.$case === 'signedUp' ? [event.value.accountId] : []))
      // Sign-ups may need no approval.
      if (newcomers.length > 0 && (await hasUnapproved(tx, newcomers))) await requestRound(tx, 'pendingAccount')
    },
  })

/** Consumers that request mail to staff about new reports, appeals and sign-ups that wait for approval. */
export const requestStaffMails = (deps: Deps): Consumer<AuthTables>[] => [ofReports(deps), ofPeople(deps)]
