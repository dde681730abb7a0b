import type { LiveNotification } from '@rookery/contracts/events'
import type {
  AccountPage,
  Filtered,
  Flags,
  Overlay,
  OwnVotes,
  ReportList,
  StatusForViewers,
  StatusItem,
  StatusPage,
  ViewerFiltered,
  ViewerFlags,
} from '@rookery/contracts/statuses'
import { notificationJson, type Renderer, reportJson } from '@rookery/entities'
import { type Prepared, prepare } from '../channels/frames.ts'

/** A status as an `update` or `status.update` event: for streams without a viewer, and for each viewer who may see it. */
type RenderedStatus = {
  /** Without flags, with the matches of the listener's filters; undefined when the status is gone. */
  forListener(accountId: string): Prepared | undefined
  /** Viewers with equal flags share an event. */
  forViewer(accountId: string): Prepared | undefined
}

const keyOf = (flags: Flags | undefined) =>
  flags ? [flags.favourited, flags.reblogged, flags.bookmarked, flags.muted, flags.pinned ?? '-'].join() : ''

const withVotes = ({ poll }: Overlay, ownVotes: OwnVotes | undefined) => poll && { ...poll, ownVotes }

/** The viewer state of one viewer. */
type Own = Pick<ViewerFlags, 'flags' | 'reblogFlags' | 'ownVotes' | 'filtered' | 'reblogFiltered' | 'quoting'>

const NOTHING_FITS: Filtered = { results: [] }

/** The viewer's own state of the quote, where it differs. */
const withQuoting = (overlay: Overlay, { quoting }: Own): Partial<Overlay> =>
  quoting ? { quoteApproval: quoting.quoteApproval, quote: overlay.quote && quoting.quote } : {}

const ofViewer = (item: StatusItem, own: Own): StatusItem => ({
  ...item,
  overlay: item.overlay && {
    ...item.overlay,
    ...withQuoting(item.overlay, own),
    flags: own.flags,
    poll: withVotes(item.overlay, own.ownVotes),
    filtered: own.filtered ?? NOTHING_FITS,
  },
  reblogOverlay: item.reblogOverlay && {
    ...item.reblogOverlay,
    ...withQuoting(item.reblogOverlay, own),
    flags: own.reblogFlags,
    poll: withVotes(item.reblogOverlay, own.ownVotes),
    filtered: own.reblogFiltered ?? NOTHING_FITS,
  },
})

/** A key that is equal for viewers who see the same. */
const sightKey = ({ flags, reblogFlags, ownVotes, filtered, reblogFiltered, quoting }: Own): string => {
  const votes = `${ownVotes?.hasVoted ?? ''};${ownVotes?.choices.join() ?? ''}`
  const fitting = filtered || reblogFiltered ? JSON.stringify([filtered, reblogFiltered]) : ''
  const quoted = quoting ? JSON.stringify(quoting) : ''
  return `${keyOf(flags)};${keyOf(reblogFlags)};${votes};${fitting};${quoted}`
}

/** Renders a status for all receivers: once for each distinct combination of flags and filter matches. */
export const renderStatus = (
  renderer: Renderer,
  { page, viewers, listeners: quotings }: StatusForViewers,
  { id, isEdit, listeners = [] }: { id: string; isEdit: boolean; listeners?: readonly ViewerFiltered[] },
): RenderedStatus => {
  const item = page?.items[0]
  const updates = new Map<string, Prepared | undefined>()
  const update = (own: Own) => {
    if (!page || !item) return undefined
    const key = sightKey(own)
    if (!updates.has(key)) {
      const json = renderer.status(page, ofViewer(item, own))
      updates.set(key, json && prepare({ event: isEdit ? 'status.update' : 'update', payload: json, id }))
    }
    return updates.get(key)
  }
  const byViewer = new Map(viewers.map((viewer) => [viewer.viewerId, viewer]))
  const quotingOf = new Map(quotings.map(({ viewerId, quoting }) => [viewerId, quoting]))
  const byListener = new Map(listeners.map((listener) => [listener.viewerId, listener]))
  return {
    forListener: (accountId) =>
      update({
        flags: undefined,
        reblogFlags: undefined,
        filtered: byListener.get(accountId)?.filtered,
        quoting: quotingOf.get(accountId),
      }),
    forViewer(accountId) {
      const viewer = byViewer.get(accountId)
      return viewer && update(viewer)
    },
  }
}

/** A `notification` event; undefined when its account, status or report may not be seen. */
export const renderNotification = (
  renderer: Renderer,
  live: LiveNotification,
  views: { id: string; accounts: AccountPage; statuses: StatusPage | undefined; reports: ReportList | undefined },
): Prepared | undefined => {
  const account = views.accounts.accounts[0]
  const item = views.statuses?.items[0]
  const status = item && renderer.status(views.statuses!, item)
  const [report] = views.reports?.reports ?? []
  const [target] = views.reports?.accounts ?? []
  const reported = report && target && reportJson(report, renderer.account(target))
  if (!account || (live.statusId && !status) || (live.reportId && !reported)) return undefined
  const payload = notificationJson(live, { account: renderer.account(account), status, report: reported })
  return prepare({ event: 'notification', payload, id: views.id })
}
