import type { ScheduledPage, ScheduledStatus } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, type Page } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { digestOf, keysSince } from '../statuses/index.ts'
import { scheduledMessage } from './scheduled.message.ts'
import { ScheduledReader } from './scheduled.store.ts'

/** The scheduled statuses of an account, or its drafts, newest first (spec, GET /api/v1/scheduled_statuses). One statement per page. */
export const listScheduled = ({ database }: { database: Database<StatusesTables> }) => {
  const reader = new ScheduledReader(database.db)
  return async (viewerId: string, wanted: { page: Page; drafts: boolean }): Promise<ScheduledPage> => {
    const { rows, cursors } = cursorsOf(wanted.page, await reader.list(viewerId, wanted), ({ id }) => id)
    return { scheduled: rows.map(scheduledMessage), cursors }
  }
}

/** The viewer's own scheduled status (spec, GET /api/v1/scheduled_statuses/:id). @throws Failure not_found if it is another's or deleted */
export const readScheduled = ({ database }: { database: Database<StatusesTables> }) => {
  const reader = new ScheduledReader(database.db)
  return async ({ id, viewerId }: { id: string; viewerId: string }): Promise<ScheduledStatus> =>
    scheduledMessage(orNotFound(await reader.find(id, viewerId), `scheduled status ${id} is not ${viewerId}'s`))
}

/** The scheduled status that the viewer's Idempotency-Key created within the hour. @throws Failure not_found if there is none */
export const readByKey = ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }) => {
  const reader = new ScheduledReader(database.db)
  return async ({ viewerId, idempotencyKey }: { viewerId: string; idempotencyKey: string }): Promise<ScheduledStatus> => {
    const key = digestOf(idempotencyKey) ?? ''
    return scheduledMessage(orNotFound(await reader.findByKey(viewerId, key, keysSince(clock.now()))))
  }
}
