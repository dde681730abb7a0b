import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { previewPictureDiscarded } from './card.events.ts'
import { CardReader, CardWriter } from './card.store.ts'
import { fetchPage } from './fetch-page.ts'

const MINUTE = 60_000
/** How overdue a fetch must be before its job counts as lost, in milliseconds. */
const LATE = 15 * MINUTE
/** How long a page without statuses is kept, in milliseconds: people delete and repost. */
const KEPT = 24 * 60 * MINUTE
/** Batches of pages per run. */
const PARTS_A_RUN = 20

/**
 * Fetches pages again whose job died with its process, which would otherwise hold its lock for hours, and deletes pages that no status shows, with
 * their images.
 */
export const refreshCardsJob = ({ database, outbox, clock }: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }): Job => {
  const askOverdue = async () => {
    const overdue = await new CardReader(database.db).overdue(new Date(clock.now() - LATE))
    await transact(database.db, async (tx) => {
      for (const page of overdue) await fetchPage(tx, page)
    })
  }

  /** The position at which the last run of this process stopped. */
  let after = ''
  const forget = () =>
    transact(database.db, async (tx) => {
      const { last, subjects } = await new CardWriter(tx).forgetUnused(after, new Date(clock.now() - KEPT))
      await outbox.append(tx, subjects.map(previewPictureDiscarded))
      return last
    })
  /** Checks some batches, from where the last run stopped, so that the cost of a run does not grow with the number of pages. */
  const forgetSome = async () => {
    for (let part = 0; part < PARTS_A_RUN; part++) {
      const last = await forget()
      after = last ?? ''
      if (last === null) return
    }
  }

  return job({
    name: 'tend-cards',
    lane: 'bulk',
    cron: '*/10 * * * *',
    async run() {
      await askOverdue()
      await forgetSome()
    },
  })
}
