import { type Consumer, consumer } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { requestDiscarding } from './discard-files.job.ts'
import { ReaperWriter } from './reaper.store.ts'

/** Deletes the files of removed accounts, of every purpose. */
export const forgetOwners = ({ clock }: { clock: Clock }): Consumer<MediaTables> =>
  consumer({
    name: 'media.owners',
    topic: 'statuses.v1',
    kinds: ['accountRemoved'],
    isUnhurried: true,
    handle: async (tx, received) => {
      const ownerIds = received.map(({ event }) => event.value.accountId)
      if ((await new ReaperWriter(tx).discardOwned(ownerIds, new Date(clock.now()))) > 0) await requestDiscarding(tx)
    },
  })
