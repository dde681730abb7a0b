import { type Database, transact } from '@rookery/database'
import { consumer } from '@rookery/events'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { requestDiscarding } from '../reaper/index.ts'
import { SERVICE } from '../service.ts'
import { RemoteDomainWriter, rejectedAmong } from './remote-domain.store.ts'
import { AT_A_TIME, RemoteFileReader, RemoteFileWriter } from './remote-file.store.ts'

const REMOVE_REJECTED = 'remove-rejected-files'

/**
 * Stores staff's decisions on domains: from suspended ones, or ones whose media are rejected, nothing is fetched and no cached file stays.
 */
export const rejectDomains = () =>
  consumer<MediaTables, 'domainLimited'>({
    name: 'media.domains',
    topic: 'statuses.v1',
    kinds: ['domainLimited'],
    isUnhurried: true,
    handle: async (tx, received) => {
      const domains = new RemoteDomainWriter(tx)
      for (const { event } of received) {
        const { domain, isSilenced, isSuspended, rejectsMedia, isDecided } = event.value
        const isRejected = isSuspended || rejectsMedia
        await (isRejected || isSilenced || isDecided ? domains.decide(domain, isRejected) : domains.forget(domain))
        await addJob(tx, SERVICE, REMOVE_REJECTED, { domain }, { key: `${REMOVE_REJECTED}:${domain}` })
      }
    },
  })

/** Deletes the cached files of a rejected domain and its subdomains, in batches: an interrupted run can continue. */
export const removeRejectedFiles = ({ database, clock }: { database: Database<MediaTables>; clock: Clock }): Job =>
  job<{ domain: string }>({
    name: REMOVE_REJECTED,
    run: async ({ domain }) => {
      const rejected = [...(await rejectedAmong(database, await new RemoteFileReader(database.db).domainsBelow(domain)))]
      const remove = () =>
        transact(database.db, async (tx) => {
          const now = new Date(clock.now())
          const { count } = await new RemoteFileWriter(tx).discardOf(rejected, now, now)
          if (count > 0) await requestDiscarding(tx)
          return count
        })
      while (rejected.length > 0 && (await remove()) === AT_A_TIME);
    },
  })
