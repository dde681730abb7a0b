import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { previewPictureDiscarded } from './card.events.ts'
import { AT_A_TIME, CardReader, CardWriter } from './card.store.ts'
import { fetchPage } from './fetch-page.ts'

const MINUTE = 60_000
/** How late asking for a page may be before its job counts as lost. */
const LATE = 15 * MINUTE
/** How long a page is known that no status shows any more: text is deleted and posted again. */
const KEPT = 24 * 60 * MINUTE

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

  const forget = () =>
    transact(database.db, async (tx) => {
      const gone = await new CardWriter(tx).forgetUnused(new Date(clock.now() - KEPT))
      const subjects = gone.flatMap(({ pictureSubjectId }) => pictureSubjectId ?? [])
      await outbox.append(tx, subjects.map(previewPictureDiscarded))
      return gone.length
    })

  return job({
    name: 'tend-cards',
    cron: '*/10 * * * *',
    async run() {
      await askOverdue()
      while ((await forget()) === AT_A_TIME);
    },
  })
}
