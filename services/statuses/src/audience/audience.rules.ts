import { isOpen, isPrivate } from './visibility.rules.ts'

/** The fields that decide who may see a status: its visibility, its author, and the moderators' decisions about the author. */
export type JudgedStatus = {
  id: string
  authorId: string
  /** Set for a remote author. */
  authorDomain: string | undefined
  visibility: number
  /** Set on a boost: the status it boosts. */
  reblogOfId: string | undefined
  /** Silenced by the server: shown only to followers, and when requested by id (beyond-the-spec 1.11). */
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

/** The blocks either way, the active mutes and the domain blocks of a viewer. */
export type ViewerBlocks = {
  readonly blocking: ReadonlySet<string>
  readonly blockedBy: ReadonlySet<string>
  readonly muted: ReadonlySet<string>
  readonly blockedDomains: ReadonlySet<string>
}

/**
 * How a page filters its statuses (beyond-the-spec 1.11, 1.12).
 * `timeline`: leaves out authors the viewer blocks or mutes.
 * `thread`: also leaves out silenced authors whom the viewer does not follow.
 * `home`: as `thread`, but boosts by people followed show whom they boosted. Such statuses would come by a followed tag.
 * `direct`: a status requested by id; only the audience and the author's block apply.
 * `profile`: the statuses of one author; only their boosts are filtered as on a timeline.
 * `own`: the viewer's own statuses; nothing hides them, not even a block by the author of a boosted status.
 */
export type Judgement = 'timeline' | 'thread' | 'home' | 'direct' | 'profile' | 'own'

/** Whether the viewer belongs to the audience of a status (beyond-the-spec 1.11). */
export const isInAudience = (status: JudgedStatus, viewerId: string, { followed, mentioned }: ViewerTies): boolean => {
  if (isOpen(status.visibility)) return true
  if (!viewerId) return false
  if (status.authorId === viewerId || mentioned.has(status.id)) return true
  return isPrivate(status.visibility) && followed.has(status.authorId)
}

/** Whether the author is hidden from the viewer: always if suspended or blocking the viewer; on timelines also by the viewer's blocks and mutes. */
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

/** Whether threads, homes and streams leave out a status: its author is silenced, and the viewer does not follow them. */
export const isSilencedFor = (
  { authorId, isAuthorSilenced }: Pick<JudgedStatus, 'authorId' | 'isAuthorSilenced'>,
  viewerId: string,
  { followed }: Pick<ViewerTies, 'followed'>,
): boolean => isAuthorSilenced && authorId !== viewerId && !followed.has(authorId)

/** The statuses of a page by id, and the viewer's relationship to them. */
type JudgedStatuses = ViewerTies & { readonly heads: ReadonlyMap<string, JudgedStatus> }

/** Whether the viewer has no relationship to any of these statuses or their authors: all such viewers are shown the same, under any judgement. */
export const isBystander = ({ heads, followed, mentioned }: JudgedStatuses, viewerId: string, blocks: ViewerBlocks): boolean => {
  if (followed.size > 0 || mentioned.size > 0) return false
  for (const head of heads.values())
    if (head.authorId === viewerId || isAuthorHidden(head, blocks, 'timeline') !== head.isAuthorSuspended) return false
  return true
}

/** Whether a status is shown to the viewer. A boost is shown only if the boosted status is shown too. */
export const isShown = (id: string, statuses: JudgedStatuses, viewerId: string, blocks: ViewerBlocks, judgement: Judgement): boolean => {
  const status = statuses.heads.get(id)
  if (status && judgement === 'own') return true
  if (!status || !isInAudience(status, viewerId, statuses) || isAuthorHidden(status, blocks, judgement)) return false
  if ((judgement === 'thread' || judgement === 'home') && isSilencedFor(status, viewerId, statuses)) return false
  const ofOriginal = judgement === 'profile' || judgement === 'home' ? 'timeline' : judgement
  return status.reblogOfId === undefined || isShown(status.reblogOfId, statuses, viewerId, blocks, ofOriginal)
}
