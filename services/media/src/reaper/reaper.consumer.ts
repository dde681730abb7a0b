import { type Consumer, consumer } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { unclaimedExpiry } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'
import { requestDiscarding } from './discard-files.job.ts'
import { ReaperWriter } from './reaper.store.ts'

/**
 * Files live as long as their status: they are safe once it is published, free for posting again for a day when it is deleted, and gone
 * at once when that is asked for (beyond-the-spec 1.10, Delete).
 */
export const reaper = ({ clock }: { clock: Clock }): Consumer<MediaTables> =>
  consumer({
    name: 'media.reaper',
    topic: 'statuses.v1',
    kinds: ['statusPublished', 'statusDeleted'],
    concerns: (fact) => (fact.$case === 'statusPublished' ? fact.value.hasMedia : fact.value.hadMedia),
    handle: async (tx, received) => {
      const facts = received.map(({ fact }) => fact)
      const published = facts.flatMap((fact) => (fact.$case === 'statusPublished' ? [fact.value.statusId] : []))
      const deleted = facts.flatMap((fact) => (fact.$case === 'statusDeleted' ? [fact.value] : []))
      const released = deleted.filter((fact) => !fact.deleteMedia).map((fact) => fact.statusId)
      const doomed = deleted.filter((fact) => fact.deleteMedia).map((fact) => fact.statusId)
      const writer = new ReaperWriter(tx)
      const now = clock.now()
      // A status is published before it is deleted, so the order of the two is kept however they came in one batch.
      if (published.length > 0) await writer.confirm(published)
      if (released.length > 0) await writer.release(released, unclaimedExpiry(now))
      if (doomed.length > 0 && (await writer.discardOf(doomed, new Date(now))) > 0) await requestDiscarding(tx)
    },
  })
