import { type Job, job } from '@rookery/jobs'
import { READ_COUNTS } from '../../actors/index.ts'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { readCollection } from '../../vocabulary/index.ts'
import type { ReceivedDeps } from '../received/deps.ts'

/** Timeout for all collections of one actor, in milliseconds. */
const MILLISECONDS = 30_000

/**
 * Reads the counts of followers, following and statuses of a remote account from its server. Counts that cannot be fetched stay unchanged.
 */
export const readCountsJob = ({ actors, fetchDocument, statuses, log }: ReceivedDeps): Job => {
  const totalOf = async (uri: string, actorUri: string, signal: AbortSignal): Promise<number | undefined> => {
    if (uri === '' || !isSameHost(uri, actorUri)) return undefined
    return fetchDocument(uri, { signal }).then(
      ({ document }) => readCollection(document)?.total,
      (error) => {
        log.debug({ err: error, uri }, 'no collection of another server')
        return undefined
      },
    )
  }
  return job<{ uri: string; followingUri: string }>({
    name: READ_COUNTS,
    lane: 'reading',
    async run({ uri, followingUri }) {
      const [actor] = await actors.knownByUris([uri])
      if (!actor?.accountId) return
      const signal = AbortSignal.timeout(MILLISECONDS)
      const addresses = [actor.followersUri, followingUri, actor.outboxUri]
      const [followersCount, followingCount, statusesCount] = await Promise.all(addresses.map((address) => totalOf(address, uri, signal)))
      await statuses.remoteAccounts.storeCounts(ownCall(), { accountId: actor.accountId, followersCount, followingCount, statusesCount })
    },
  })
}
