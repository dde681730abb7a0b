import type { OutboxEvent } from '@rookery/events'
import { subjectAddressed } from '../../audience/index.ts'

/** What ended follows of several people at once. The id is the same for all whom one act concerns, and another for each act. */
type Severance = {
  id: string
  type: 'domain_block' | 'user_domain_block' | 'account_suspension'
  /** The domain, or the handle of the account. */
  targetName: string
}

/** How many follows a person of this server lost, by direction. */
type Lost = { accountId: string; followersCount: number; followingCount: number }

/**
 * Notifies people of this server of the follows that an act of moderation, or their own block of a domain, ended (beyond-the-spec 1.1, 1.15).
 * Every cause says it with this.
 */
export const relationshipsSevered = (severance: Severance, losses: readonly Lost[]): OutboxEvent[] =>
  losses
    .filter(({ followersCount, followingCount }) => followersCount + followingCount > 0)
    .map(({ accountId, ...counts }) =>
      subjectAddressed(accountId, 'severed_relationships', { severed: { ...severance, ...counts }, warning: undefined }),
    )
