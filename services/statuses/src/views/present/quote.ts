import type { Overlay, Quote, QuoteApproval } from '@rookery/contracts/statuses'
import { isQuotedShown, quoteApproval, quoteState, type ViewerBlocks, type ViewerTies } from '../../audience/index.ts'
import type { Head } from '../head.store.ts'
import type { Skeleton } from '../skeleton.store.ts'

/** The parts of a skeleton that decide what a viewer sees of quotes. */
type QuotedParts = Pick<Skeleton, 'heads' | 'quotes'> & ViewerTies

/** The viewer, with an empty id if anonymous, and their blocks and mutes. */
export type QuoteViewer = { readonly id: string; readonly blocks: ViewerBlocks }

const NO_BLOCKS: ViewerBlocks = { blocking: new Set(), blockedBy: new Set(), muted: new Set(), blockedDomains: new Set() }

/** A signed-in viewer without any relationship to the people on a page. */
export const STRANGER: QuoteViewer = { id: '0', blocks: NO_BLOCKS }

/** Whether the viewer may quote this status. */
export const approvalFor = (head: Head, viewer: QuoteViewer, { followed }: Pick<QuotedParts, 'followed'>): QuoteApproval =>
  quoteApproval(head, { id: viewer.id, follows: followed.has(head.authorId) })

/** The head of the status that a status quotes; undefined if no one may see it. */
export const quotedHead = (id: string, { heads, quotes }: Pick<QuotedParts, 'heads' | 'quotes'>): Head | undefined =>
  heads.get(quotes.get(id)?.quotedId ?? '')

/** A quote as the viewer sees it; `overlayOf` makes the viewer state of the quoted status, and is absent for a quote within a quote. */
export const presentQuote = (
  id: string,
  viewer: QuoteViewer,
  { parts, overlayOf }: { parts: QuotedParts; overlayOf?: ((quoted: Head) => Overlay | undefined) | undefined },
): Quote | undefined => {
  const stored = parts.quotes.get(id)
  if (!stored) return undefined
  const state = quoteState(stored, parts, viewer)
  const quoted = isQuotedShown(state) ? quotedHead(id, parts) : undefined
  return { state, quotedId: quoted?.id ?? '', overlay: quoted && overlayOf?.(quoted) }
}
