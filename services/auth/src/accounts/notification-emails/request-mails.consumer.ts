import { type Consumer, consumer } from '@rookery/events'
import { addJobs } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import { SERVICE } from '../../service.ts'
import { dueMails } from './due-mails.rules.ts'
import { lockWishes, writeCounts } from './mail-preference.store.ts'
import { SEND_DIGEST } from './send-digest.job.ts'
import { SEND_NOTIFICATION_MAIL } from './send-notification-mail.job.ts'

/** Adds a job for each mail about a notification that its recipient wants, and for each digest. */
export const requestMails = ({ mailer, clock }: { mailer: Mailer; clock: Clock }): Consumer<AuthTables> =>
  consumer({
    name: 'auth.notification-mails',
    topic: 'notifications.v1',
    kinds: ['notificationStored', 'unreadNotificationsListed'],
    isUnhurried: true,
    concerns: () => mailer.canSend,
    async handle(tx, received) {
      const wishes = await lockWishes(
        tx,
        received.map(({ event }) => event.value.accountId),
      )
      if (wishes.length === 0) return
      const stored = received.flatMap(({ event, occurredAtMilliseconds: storedAt }) => {
        if (event.$case !== 'notificationStored' || !event.value.notification) return []
        return [{ ...event.value.notification, accountId: event.value.accountId, storedAt }]
      })
      const { mails, counted } = dueMails(stored, wishes, clock.now())
      const jobs = mails.map((mail) => ({ payload: mail, key: `mail/${mail.notificationId}` }))
      if (counted.length > 0) await writeCounts(tx, counted)
      await addJobs(tx, SERVICE, SEND_NOTIFICATION_MAIL, jobs)
      const wanted = new Set(wishes.flatMap(({ accountId, digest }) => (digest ? [accountId] : [])))
      const digests = received.flatMap(({ event: { $case, value } }) =>
        $case === 'unreadNotificationsListed' && wanted.has(value.accountId) ? [value] : [],
      )
      await addJobs(
        tx,
        SERVICE,
        SEND_DIGEST,
        digests.map((payload) => ({ payload, key: `digest/${payload.accountId}` })),
      )
    },
  })
