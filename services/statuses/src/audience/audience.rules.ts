import { isOpen, isPrivate } from './visibility.rules.ts'

/** What decides who may see a status: its visibility, its author, and what moderators decided about them. */
export type JudgedStatus = {
  id: string
  authorId: string
  /** Set for an author of another server. */
  authorDomain: string | undefined
  visibility: number
  /** Set on a boost: the status it boosts. */
  reblogOfId: string | undefined
  /** Silenced by the server: shown to followers, and to those who ask for the status (beyond-the-spec 1.11). */
  isAuthorSilenced: boolean
  /** Suspended by the server: shown to no one. */
  isAuthorSuspended: boolean
}

/** The relationship of a viewer to statuses and their authors. */
export type ViewerTies = {
  /** Authors the viewer follows. */
  readonly followed: ReadonlySet<string>
  /** Statuses that mention the viewer. */
  readonly mentioned: ReadonlySet<string>
}

/** The blocks either way and the unexpired mutes of a viewer, and the servers that the viewer shut out. */
export type ViewerBlocks = {
  readonly blocking: ReadonlySet<string>
  readonly blockedBy: ReadonlySet<string>
  readonly muted: ReadonlySet<string>
  readonly blockedDomains: ReadonlySet<string>
}

/**
 * How a page judges what it shows (beyond-the-spec 1.11, 1.12).
 * `timeline`: authors the viewer blocks or mutes are left out. `thread`: silenced authors whom the viewer does not follow as well.
 * `direct`: asked for by id, so only the audience and the author's block decide. `profile`: of one author, whom the viewer asked for, so that
 * only what they boost is judged as on a timeline. `own`: the viewer's own statuses, which nothing hides, not even a block by the author of what
 * they boost.
 */
export type Judgement = 'timeline' | 'thread' | 'direct' | 'profile' | 'own'

/** Whether the viewer belongs to the audience of a status (beyond-the-spec 1.11). */
export const isInAudience = (status: JudgedStatus, viewerId: string, { followed, mentioned }: ViewerTies): boolean => {
  if (isOpen(status.visibility)) return true
  if (!viewerId) return false
  if (status.authorId === viewerId || mentioned.has(status.id)) return true
  return isPrivate(status.visibility) && followed.has(status.authorId)
}

/** Whether the author is hidden from the viewer: by suspension and the author's block always, by the viewer's blocks and mutes on timelines. */
export const isAuthorHidden = (
  { authorId, authorDomain, isAuthorSuspended }: JudgedStatus,
  blocks: ViewerBlocks,
  judgement: Judgement,
): boolean =>
  isAuthorSuspended ||
  blocks.blockedBy.has(authorId) ||
  (judgement !== 'direct' &&
    judgement !== 'profile' &&
    (blocks.blocking.has(authorId) ||
      blocks.muted.has(authorId) ||
      (authorDomain !== undefined && blocks.blockedDomains.has(authorDomain))))

/** Whether a thread leaves out a silenced author whom the viewer does not follow. */
const isSilencedInThread = ({ authorId, isAuthorSilenced }: JudgedStatus, viewerId: string, { followed }: ViewerTies): boolean =>
  isAuthorSilenced && authorId !== viewerId && !followed.has(authorId)

/** The statuses of a page by id, and the viewer's ties to them. */
type JudgedStatuses = ViewerTies & { readonly heads: ReadonlyMap<string, JudgedStatus> }

/** Whether the viewer has no tie to any of these statuses or their authors: all such viewers are shown the same, whatever the judgement. */
export const isBystander = ({ heads, followed, mentioned }: JudgedStatuses, viewerId: string, blocks: ViewerBlocks): boolean => {
  if (followed.size > 0 || mentioned.size > 0) return false
  for (const head of heads.values())
    if (head.authorId === viewerId || isAuthorHidden(head, blocks, 'timeline') !== head.isAuthorSuspended) return false
  return true
}

/** Whether a status, and what it boosts, is shown to the viewer. A boost is as visible as the boost and the original both are. */
export const isShown = (id: string, statuses: JudgedStatuses, viewerId: string, blocks: ViewerBlocks, judgement: Judgement): boolean => {
  const status = statuses.heads.get(id)
  if (status && judgement === 'own') return true
  if (!status || !isInAudience(status, viewerId, statuses) || isAuthorHidden(status, blocks, judgement)) return false
  if (judgement === 'thread' && isSilencedInThread(status, viewerId, statuses)) return false
  const ofOriginal = judgement === 'profile' ? 'timeline' : judgement
  return status.reblogOfId === undefined || isShown(status.reblogOfId, statuses, viewerId, blocks, ofOriginal)
}
