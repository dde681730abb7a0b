import { type Database, type Tx, transact } from '@rookery/database'
import { otherServer } from '@rookery/domain-names'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import { addJob } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { relationshipsSevered } from '../graph/index.ts'
import { CUT_DOMAIN } from './cut-domain.job.ts'
import { cutFollows } from './cut-follows.ts'
import { domainBlocked, domainUnblocked } from './domain-block.events.ts'
import { countTies, DomainBlockWriter, readFollowedOf } from './domain-block.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; outbox: Outbox; ids: Ids; baseUrl: string }
type Wanted = { viewerId: string; domain: string }

/** Maximum follows that end before the response; the rest ends in a job. */
const MAX_AT_ONCE = 500

/**
 * Blocks a domain for one account: from the commit on its accounts are hidden; follows both ways end, with a notification, and a job removes the
 * rest, including notifications. Idempotent (beyond-the-spec 1.15, 2.2).
 * @throws Failure invalid
 */
export const blockDomain = (deps: Deps) => {
  const { database, clock, outbox, ids, baseUrl } = deps

  const block = async (tx: Tx<StatusesTables>, wanted: { accountId: string; domain: string }) => {
    if (!(await new DomainBlockWriter(tx).add({ ...wanted, now: new Date(clock.now()) }))) return false
    const [lost] = await countTies(tx, wanted)
    const severance = { id: ids.next(), type: 'user_domain_block', targetName: wanted.domain } as const
    const followed = await readFollowedOf(tx, { ...wanted, limit: MAX_AT_ONCE })
    await outbox.append(tx, [
      domainBlocked({ ...wanted, followedIds: followed.map(({ id }) => id) }),
      ...relationshipsSevered(severance, [{ accountId: wanted.accountId, ...lost! }]),
    ])
    await addJob(tx, 'statuses', CUT_DOMAIN, wanted, { key: `${CUT_DOMAIN}:${wanted.accountId}:${wanted.domain}` })
    return true
  }

  return async ({ viewerId, domain }: Wanted): Promise<void> => {
    const wanted = { accountId: viewerId, domain: otherServer(domain, baseUrl) }
    if (await transact(database.db, (tx) => block(tx, wanted))) await cutFollows(deps, wanted, { max: MAX_AT_ONCE })
  }
}

/** Unblocks a domain; no error if it is not blocked. Ended follows stay ended. @throws Failure invalid */
export const unblockDomain =
  ({ database, outbox, baseUrl }: Pick<Deps, 'database' | 'outbox' | 'baseUrl'>) =>
  async ({ viewerId, domain }: Wanted): Promise<void> => {
    const wanted = { accountId: viewerId, domain: otherServer(domain, baseUrl) }
    await transact(database.db, async (tx) => {
      if (await new DomainBlockWriter(tx).remove(wanted)) await outbox.append(tx, [domainUnblocked(wanted)])
    })
  }

/** The numbers of follows that a block would end, by direction (beyond-the-spec 2.2). @throws Failure invalid */
export const previewDomainBlock =
  ({ database, baseUrl }: Pick<Deps, 'database' | 'baseUrl'>) =>
  async ({ viewerId, domain }: Wanted): Promise<{ followingCount: number; followersCount: number }> =>
    (await countTies(database, { accountId: viewerId, domain: otherServer(domain, baseUrl) }))[0]!
