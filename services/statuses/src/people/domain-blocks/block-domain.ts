import type { Database } from '@rookery/database'
import { otherServer } from '@rookery/domain-names'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { addDomainBlock, removeDomainBlock } from './domain-block.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; baseUrl: string }
type Wanted = { viewerId: string; domain: string }

/** Shuts a server out for one person; again changes nothing (beyond-the-spec 1.15, 2.2). @throws Failure invalid */
export const blockDomain =
  ({ database, clock, baseUrl }: Deps) =>
  async ({ viewerId, domain }: Wanted): Promise<void> => {
    await addDomainBlock(database, { accountId: viewerId, domain: otherServer(domain, baseUrl), now: new Date(clock.now()) })
  }

/** Ends that; also where there is nothing to end. @throws Failure invalid */
export const unblockDomain =
  ({ database, baseUrl }: Deps) =>
  async ({ viewerId, domain }: Wanted): Promise<void> => {
    await removeDomainBlock(database, { accountId: viewerId, domain: otherServer(domain, baseUrl) })
  }

/**
 * How many follows a block would end, either way (beyond-the-spec 2.2). Everyone here is of this server, so an account that blocks another's domain
 * loses no one. @throws Failure invalid
 */
export const previewDomainBlock =
  ({ baseUrl }: { baseUrl: string }) =>
  ({ domain }: Wanted): { followingCount: number; followersCount: number } => {
    otherServer(domain, baseUrl)
    return { followingCount: 0, followersCount: 0 }
  }
