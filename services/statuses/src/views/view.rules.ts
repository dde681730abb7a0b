import { Visibility } from '@rookery/contracts/statuses'
import type { ViewerContext } from './gather/context.ts'
import type { Head, Skeleton } from './skeleton.store.ts'

/**
 * How a page judges what it shows (beyond-the-spec 1.11, 1.12).
 * `timeline`: what the viewer blocks or mutes is left out. `thread`: silenced authors the viewer does not follow as well. `direct`: asked for by id, so only the audience and the author's block decide.
 * `own`: the viewer's own, which nothing hides, not even a block by whom they boosted.
 */
export type Judgement = 'timeline' | 'thread' | 'direct' | 'own'

/** Whether the viewer belongs to the status's audience. */
export const isInAudience = (head: Head, viewerId: string, skeleton: Pick<Skeleton, 'followed' | 'mentioned'>): boolean => {
  if (head.visibility === Visibility.PUBLIC || head.visibility === Visibility.UNLISTED) return true
  if (!viewerId) return false
  if (head.authorId === viewerId || skeleton.mentioned.has(head.id)) return true
  return head.visibility === Visibility.PRIVATE && skeleton.followed.has(head.authorId)
}

/** Whether the author is kept from the viewer: by suspension and an author's block always, by the viewer's blocks and mutes on timelines. */
export const isAuthorHidden = ({ authorId, isAuthorSuspended }: Head, context: ViewerContext, judgement: Judgement): boolean =>
  isAuthorSuspended ||
  context.blockedBy.has(authorId) ||
  (judgement !== 'direct' && (context.blocking.has(authorId) || context.muted.has(authorId)))

/** Whether a thread leaves a silenced author out, for those who do not follow them. */
const isHushed = ({ authorId, isAuthorSilenced }: Head, viewerId: string, { followed }: Pick<Skeleton, 'followed'>): boolean =>
  isAuthorSilenced && authorId !== viewerId && !followed.has(authorId)

/** Whether a status, and what it boosts, is shown to the viewer. A boost is as visible as both of its halves. */
export const isShown = (id: string, skeleton: Skeleton, viewerId: string, context: ViewerContext, judgement: Judgement): boolean => {
  const head = skeleton.heads.get(id)
  if (head && judgement === 'own') return true
  if (!head || !isInAudience(head, viewerId, skeleton) || isAuthorHidden(head, context, judgement)) return false
  if (judgement === 'thread' && isHushed(head, viewerId, skeleton)) return false
  return head.reblogOfId === undefined || isShown(head.reblogOfId, skeleton, viewerId, context, judgement)
}
