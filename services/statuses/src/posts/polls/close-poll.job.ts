import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import { recipientAddressed } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { pollCounted } from './poll.events.ts'
import { PollWriter } from './poll.store.ts'
import { CLOSE_POLL, scheduleEnd } from './schedule-end.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }

/**
 * Notifies the author and all voters who may be notified, once, that a poll has ended (beyond-the-spec 1.10, Poll). Runs when it ends by the clock of
 * Postgres; if that is ahead of the one here, it runs again.
 */
export const closePollJob = ({ database, outbox, clock }: Deps): Job =>
  job<{ statusId: string }>({
    name: CLOSE_POLL,
    run: ({ statusId }) =>
      transact(database.db, async (tx) => {
        const polls = new PollWriter(tx)
        const now = new Date(clock.now())
        if (!(await polls.close(statusId, now))) return scheduleEnd(tx, statusId)
        const events = (await polls.recipients(statusId, now)).map((recipient) =>
          recipientAddressed(
            { recipientId: recipient.id, reason: 'poll', actorId: recipient.authorId, statusId },
            {
              followsActor: recipient.followsAuthor,
              followedSince: recipient.followedSince,
              actorCreatedAt: recipient.authorCreatedAt,
              isActorLimited: recipient.isAuthorLimited,
            },
          ),
        )
        const accountId = await polls.localAuthor(statusId)
        await outbox.append(tx, accountId ? [...events, pollCounted({ accountId, statusId })] : events)
      }),
  })
