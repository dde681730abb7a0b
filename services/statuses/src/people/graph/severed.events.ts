import type { OutboxEvent } from '@rookery/events'
import { subjectAddressed } from '../../audience/index.ts'

/** The cause of ending many follows at once. The id is the same for all accounts affected by one act, and different for each act. */
type Severance = {
  id: string
  type: 'domain_block' | 'user_domain_block' | 'account_suspension'
  /** The domain, or the handle of the account. */
  targetName: string
}

/** The numbers of follows a local account lost, by direction. */
type Lost = { accountId: string; followersCount: number; followingCount: number }

/**
 * Notifies local accounts of the follows that a moderation act, or their own domain block, ended (beyond-the-spec 1.1, 1.15). All causes use this.
 */
export const relationshipsSevered = (severance: Severance, losses: readonly Lost[]): OutboxEvent[] =>
  losses
    .filter(({ followersCount, followingCount }) => followersCount + followingCount > 0)
    .map(({ accountId, ...counts }) =>
      subjectAddressed(accountId, 'severed_relationships', { severed: { ...severance, ...counts }, warning: undefined }),
    )
