import { QuoteApproval, QuotePolicy, QuoteState } from '@rookery/contracts/statuses'
import { isAuthorHidden, isInAudience, type JudgedStatus, type ViewerBlocks, type ViewerTies } from './audience.rules.ts'
import { isDirect, isOpen } from './visibility.rules.ts'

/** A quote, as it is stored. */
export type StoredQuote = {
  /** Pending, accepted, rejected or revoked. */
  state: QuoteState
  /** Undefined once the quoted status is deleted. */
  quotedId: string | undefined
}

/** States in which the viewer gets the quoted status: clients hide it behind a warning if the viewer blocks or mutes its author. */
const SHOWN: ReadonlySet<QuoteState> = new Set([
  QuoteState.ACCEPTED,
  QuoteState.BLOCKED_ACCOUNT,
  QuoteState.BLOCKED_DOMAIN,
  QuoteState.MUTED_ACCOUNT,
])

/** Whether a quote in this state includes the quoted status. */
export const isQuotedShown = (state: QuoteState): boolean => SHOWN.has(state)

/**
 * The state of a quote for the viewer (docs.joinmastodon.org, entities/Quote). An accepted quote becomes `deleted` with the quoted status, and is
 * `unauthorized` for a viewer who may not see that status.
 */
export const quoteState = (
  { state, quotedId }: StoredQuote,
  statuses: ViewerTies & { readonly heads: ReadonlyMap<string, JudgedStatus> },
  viewer: { id: string; blocks: ViewerBlocks },
): QuoteState => {
  if (state !== QuoteState.ACCEPTED) return state
  const quoted = quotedId === undefined ? undefined : statuses.heads.get(quotedId)
  if (!quoted) return QuoteState.DELETED
  if (quoted.authorId === viewer.id) return QuoteState.ACCEPTED
  if (!isInAudience(quoted, viewer.id, statuses) || isAuthorHidden(quoted, viewer.blocks, 'direct')) return QuoteState.UNAUTHORIZED
  const { blocking, muted, blockedDomains } = viewer.blocks
  if (blocking.has(quoted.authorId)) return QuoteState.BLOCKED_ACCOUNT
  if (quoted.authorDomain !== undefined && blockedDomains.has(quoted.authorDomain)) return QuoteState.BLOCKED_DOMAIN
  return muted.has(quoted.authorId) ? QuoteState.MUTED_ACCOUNT : QuoteState.ACCEPTED
}

/** Whether a viewer who sees a status may quote it: its author always may, unless the status is direct. */
export const quoteApproval = (
  status: { authorId: string; visibility: number; quotePolicy: number },
  viewer: { id: string; follows: boolean },
): QuoteApproval => {
  if (!viewer.id || isDirect(status.visibility)) return QuoteApproval.DENIED
  if (status.authorId === viewer.id || status.quotePolicy === QuotePolicy.PUBLIC) return QuoteApproval.AUTOMATIC
  return status.quotePolicy === QuotePolicy.FOLLOWERS && viewer.follows ? QuoteApproval.AUTOMATIC : QuoteApproval.DENIED
}

/** Restricts a policy to the visibility: only its author may quote a private or direct status. */
export const allowedQuotePolicy = (policy: QuotePolicy, visibility: number): QuotePolicy =>
  isOpen(visibility) ? policy : QuotePolicy.NOBODY
