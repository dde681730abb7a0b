import { type Database, transact } from '@rookery/database'
import { otherServer } from '@rookery/domain-names'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { cutTies, relationshipsSevered } from '../graph/index.ts'
import { addDomainBlock, countFollowsWith, readFollowsWith, removeDomainBlock } from './domain-block.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; outbox: Outbox; ids: Ids; baseUrl: string }
type Wanted = { viewerId: string; domain: string }

/** Follows that one transaction ends at most. */
const AT_A_TIME = 100

/** Ends the follows between an account and the people of a domain, in parts, and notifies it of how many those were. */
const severFollows = async ({ database, outbox, ids }: Deps, accountId: string, domain: string): Promise<void> => {
  const severance = { id: ids.next(), type: 'user_domain_block', targetName: domain } as const
  for (;;) {
    const pairs = await readFollowsWith(database, { accountId, domain, limit: AT_A_TIME })
    if (pairs.length === 0) return
    // A transaction a pair: each locks two people, and many at once could wait for each other in a ring.
    for (const pair of pairs) await transact(database.db, async (tx) => outbox.append(tx, await cutTies(tx, pair)))
    const followingCount = pairs.filter((pair) => pair.accountId === accountId).length
    const lost = { accountId, followingCount, followersCount: pairs.length - followingCount }
    await transact(database.db, (tx) => outbox.append(tx, relationshipsSevered(severance, [lost])))
  }
}

/**
 * Shuts a server out for one person, and ends the follows between them and its people; again changes nothing (beyond-the-spec 1.15, 2.2).
 * @throws Failure invalid
 */
export const blockDomain =
  (deps: Deps) =>
  async ({ viewerId, domain }: Wanted): Promise<void> => {
    const { database, clock, baseUrl } = deps
    const name = otherServer(domain, baseUrl)
    await addDomainBlock(database, { accountId: viewerId, domain: name, now: new Date(clock.now()) })
    await severFollows(deps, viewerId, name)
  }

/** Ends that; also where there is nothing to end. @throws Failure invalid */
export const unblockDomain =
  ({ database, baseUrl }: Pick<Deps, 'database' | 'baseUrl'>) =>
  async ({ viewerId, domain }: Wanted): Promise<void> => {
    await removeDomainBlock(database, { accountId: viewerId, domain: otherServer(domain, baseUrl) })
  }

/** How many follows a block would end, either way (beyond-the-spec 2.2). @throws Failure invalid */
export const previewDomainBlock =
  ({ database, baseUrl }: Pick<Deps, 'database' | 'baseUrl'>) =>
  async ({ viewerId, domain }: Wanted): Promise<{ followingCount: number; followersCount: number }> =>
    (await countFollowsWith(database, { accountId: viewerId, domain: otherServer(domain, baseUrl) }))[0]!
