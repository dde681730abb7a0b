import { transact } from '@rookery/database'
import { Failure, type FailureKind } from '@rookery/failures'
import { NOT_QUOTABLE } from '../statuses/index.ts'
import { type DueDeps, MAX_ORDERED, publishRow } from './publish-scheduled.ts'
import type { PublishScheduled } from './schedule-job.ts'
import { ScheduledReader, type ScheduledRow, ScheduledWriter } from './scheduled.store.ts'

/** Failures that mean that the status cannot be posted; others are faults, and are retried. */
const REFUSALS: ReadonlySet<FailureKind> = new Set(['invalid', 'not_found', 'forbidden', 'malformed'])

const isRefusal = (error: unknown): error is Failure => error instanceof Failure && REFUSALS.has(error.kind)

/**
 * Publishes a scheduled status that is due, once however often and wherever this runs. One that cannot be posted any more, because its parent or
 * quoted status is gone or its author may not post, becomes a draft with its files, without the missing reference. A rescheduled one is left alone.
 * @throws an internal error; the status stays scheduled
 */
export const publishDue = (deps: DueDeps) => {
  const publish = publishRow(deps)
  const miss = (row: ScheduledRow, kept: { isReply: boolean; isQuote: boolean }) =>
    transact(deps.database.db, (tx) => new ScheduledWriter(tx).miss(row, kept))
  const reader = new ScheduledReader(deps.database.db)

  const outcome = async (row: ScheduledRow & { mayPost: boolean }, options: { trace: string; isOrdered: boolean }): Promise<boolean> => {
    if (!row.mayPost) return miss(row, { isReply: true, isQuote: true })
    try {
      return (await publish(row, options)) !== undefined
    } catch (error) {
      if (!isRefusal(error)) throw error
      const isQuoteGone = error.message === NOT_QUOTABLE
      return miss(row, { isReply: isQuoteGone || error.kind !== 'not_found', isQuote: !isQuoteGone })
    }
  }

  return async ({ id, at }: PublishScheduled): Promise<void> => {
    // A row changed between read and write is read again: each change leaves another version, or no row.
    for (let tries = 0; ; tries++) {
      const row = await reader.findDue(id)
      if (row?.scheduledAt?.getTime() !== at) return
      if (await outcome(row, { trace: `scheduled-${id}`, isOrdered: tries < MAX_ORDERED })) return
    }
  }
}
