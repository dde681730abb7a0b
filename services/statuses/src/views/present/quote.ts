import type { Overlay, Quote, QuoteApproval } from '@rookery/contracts/statuses'
import { isQuotedShown, quoteApproval, quoteState, type ViewerBlocks, type ViewerTies } from '../../audience/index.ts'
import type { Head } from '../head.store.ts'
import type { Skeleton } from '../skeleton.store.ts'

/** Of a skeleton, what decides what of quotes a viewer is shown. */
type QuotedParts = Pick<Skeleton, 'heads' | 'quotes'> & ViewerTies

/** The viewer, empty for no one, and their blocks and mutes. */
export type QuoteViewer = { readonly id: string; readonly blocks: ViewerBlocks }

const NO_BLOCKS: ViewerBlocks = { blocking: new Set(), blockedBy: new Set(), muted: new Set(), blockedDomains: new Set() }

/** Anyone with an account who has nothing to do with those whom a page shows. */
export const STRANGER: QuoteViewer = { id: '0', blocks: NO_BLOCKS }

/** What a quote of this status by the viewer would be. */
export const approvalFor = (head: Head, viewer: QuoteViewer, { followed }: Pick<QuotedParts, 'followed'>): QuoteApproval =>
  quoteApproval(head, { id: viewer.id, follows: followed.has(head.authorId) })

/** The head of what a status quotes; undefined where there is none to be shown to anyone. */
export const quotedHead = (id: string, { heads, quotes }: Pick<QuotedParts, 'heads' | 'quotes'>): Head | undefined =>
  heads.get(quotes.get(id)?.quotedId ?? '')

/** What a status quotes as it stands for the viewer; `overlayOf` is asked for what is shown, unless that is a quote within a quote. */
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
