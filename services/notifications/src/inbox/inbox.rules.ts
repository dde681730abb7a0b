import type { NotificationDetail } from '@rookery/contracts/common'
import type { Notification } from '@rookery/contracts/notifications'
import { type Report, type StatusItem, StatusPage } from '@rookery/contracts/statuses'
import { reportIdOf } from './detail.rules.ts'
import { groupKeyOf } from './group-key.rules.ts'
import type { About, NotificationRow } from './inbox.store.ts'
import type { Hydrated, References } from './inbox.views.ts'

/** The rows whose account, and status or report if any, the viewer may see. */
export const shownRows = <Row extends About>(rows: readonly Row[], visible: References): Row[] => {
  const accountIds = new Set(visible.accountIds)
  const statusIds = new Set(visible.statusIds)
  const reportIds = new Set(visible.reportIds)
  const isSeen = (id: string | null, seen: ReadonlySet<string>) => id === null || seen.has(id)
  return rows.filter((row) => accountIds.has(row.actorId) && isSeen(row.statusId, statusIds) && isSeen(reportIdOf(row), reportIds))
}

const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id)

/** The same, by the hydrated records. */
export const visibleRows = <Row extends About>(rows: readonly Row[], { accounts, statuses, reports }: Hydrated): Row[] =>
  shownRows(rows, { accountIds: idsOf(accounts), statusIds: idsOf(statuses.items), reportIds: idsOf(reports.reports) })

/** Records of several batches by id, each in its newest version. */
const newest = <View extends { id: string; version: number }>(views: readonly View[]): Map<string, View> => {
  const byId = new Map<string, View>()
  for (const view of views) if ((byId.get(view.id)?.version ?? -1) < view.version) byId.set(view.id, view)
  return byId
}

/** The statuses that an item shows: itself, the boosted status, and what either quotes. */
const shownBy = ({ id, overlay, reblogOfId, reblogOverlay }: StatusItem): string[] =>
  [id, reblogOfId, overlay?.quote?.quotedId, reblogOverlay?.quote?.quotedId].filter((each) => each !== undefined)

/** The records that the rows refer to, each once. */
export const viewsOf = (rows: readonly About[], hydrated: readonly Hydrated[]): StatusPage => {
  const wanted = new Set(rows.flatMap((row) => row.statusId ?? []))
  const pages = hydrated.map((each) => each.statuses)
  const items = [...new Map(pages.flatMap((page) => page.items.map((item) => [item.id, item]))).values()].filter((item) =>
    wanted.has(item.id),
  )
  const bodies = newest(pages.flatMap((page) => page.statuses))
  const statuses = [...new Set(items.flatMap(shownBy))].flatMap((id) => bodies.get(id) ?? [])
  const views = newest(hydrated.flatMap((each) => [...each.accounts, ...each.statuses.accounts, ...each.reports.accounts]))
  const accountIds = new Set([
    ...rows.map((row) => row.actorId),
    ...statuses.flatMap(({ accountId, cardAuthorId }) => (cardAuthorId ? [accountId, cardAuthorId] : [accountId])),
    ...reportsOf(rows, hydrated).map((report) => report.targetId),
  ])
  return StatusPage.fromPartial({ items, statuses, accounts: [...accountIds].flatMap((id) => views.get(id) ?? []) })
}

/** The reports that the rows refer to, each once. */
export const reportsOf = (rows: readonly About[], hydrated: readonly Hydrated[]): Report[] => {
  const found = new Map(hydrated.flatMap(({ reports }) => reports.reports.map((report) => [report.id, report] as const)))
  return [...new Set(rows.flatMap((row) => reportIdOf(row) ?? []))].flatMap((id) => found.get(id) ?? [])
}

/** A row as a message. */
export const notificationOf = (row: NotificationRow, details: ReadonlyMap<string, NotificationDetail>): Notification => ({
  id: row.id,
  type: row.type,
  createdAtMilliseconds: row.createdAt.getTime(),
  accountId: row.actorId,
  statusId: row.statusId ?? '',
  reportId: reportIdOf(row) ?? undefined,
  detail: details.get(row.id),
  // Filtered notifications are not grouped.
  groupKey: row.filtered ? undefined : groupKeyOf({ ...row, at: row.createdAt.getTime() }),
  isFiltered: row.filtered || undefined,
})
