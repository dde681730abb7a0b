import { LIMITS } from '@rookery/contracts/limits'
import { isDirect } from '../../audience/index.ts'
import type { Pinnable } from './pin.store.ts'

/** The reason why a status cannot be pinned, in the contract's words; undefined if it can (beyond-the-spec 1.4). */
export const pinFault = (status: Pinnable, accountId: string, pinned: number): string | undefined => {
  if (status.reblogOfId !== null) return 'A boost cannot be pinned'
  if (status.authorId !== accountId) return "Someone else's post cannot be pinned"
  if (isDirect(status.visibility)) return 'Posts that are only visible to mentioned users cannot be pinned'
  return pinned >= LIMITS.accounts.maxPinnedStatuses ? 'You have already pinned the maximum number of posts' : undefined
}
