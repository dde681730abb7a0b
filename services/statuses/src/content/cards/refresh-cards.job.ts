import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { previewPictureDiscarded } from './card.events.ts'
import { CardReader, CardWriter } from './card.store.ts'
import { fetchPage } from './fetch-page.ts'

const MINUTE = 60_000
/** How late asking for a page may be before its job counts as lost. */
const LATE = 15 * MINUTE
/** How long a page is known that no status shows any more: text is deleted and posted again. */
const KEPT = 24 * 60 * MINUTE
/** Parts of all pages that one run looks at. */
const PARTS_A_RUN = 20

/**
 * Asks again for pages whose job died with its process, which would else keep it for hours, and forgets pages that no status shows, with
 * their pictures.
 */
export const refreshCardsJob = ({ database, outbox, clock }: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }): Job => {
  const askOverdue = async () => {
    const overdue = await new CardReader(database.db).overdue(new Date(clock.now() - LATE))
    await transact(database.db, async (tx) => {
      for (const page of overdue) await fetchPage(tx, page)
    })
  }

  /** Where the last run of this process stopped. */
  let after = ''
  const forget = () =>
    transact(database.db, async (tx) => {
      const { last, subjects } = await new CardWriter(tx).forgetUnused(after, new Date(clock.now() - KEPT))
      await outbox.append(tx, subjects.map(previewPictureDiscarded))
      return last
    })
  /** Looks at some pages, from where it stopped, so that a run costs the same however many there are. */
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
