import { type Job, job } from '@rookery/jobs'
import { READ_COUNTS } from '../../actors/index.ts'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { readCollection } from '../../vocabulary/index.ts'
import type { ReceivedDeps } from '../received/deps.ts'

/** How long the collections of one person may take, in milliseconds. */
const MILLISECONDS = 30_000

/**
 * Reads how many follow a person of another server, whom they follow and what they posted, as their server counts it. What cannot be had stays as it
 * was.
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
