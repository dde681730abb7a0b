import type { NotificationDetail } from '@rookery/contracts/common'
import type { Group } from '@rookery/contracts/notifications'
import { compareIds, isId } from '@rookery/ids'
import { type About, type Hydrated, type References, reportIdOf, shownRows } from '../inbox/index.ts'

/** An entry of a list of groups: a group, or a notification without one. */
export type GroupRow = {
  /** The id of its latest notification. */
  id: string
  key: string
  type: string
  statusId: string | null
  reportId: string | null
  count: string
  latestAt: Date
  /** The accounts of the latest notifications, latest first. */
  accountIds: string[]
  /** The id of the group's oldest notification within the page. */
  pageMinId: string
}

/** Sampled accounts per group (beyond-the-spec 1.1). */
export const SAMPLES = 8

/** The target of a group key of the API: a group, or a notification without one. */
export type GroupKey = { readonly groupKey: string } | { readonly id: string }

const ALONE = 'ungrouped-'
const MAX_KEY_LENGTH = 100

/** Parses a group key; undefined if it is invalid. */
export const groupKeyIn = (text: string): GroupKey | undefined => {
  if (text === '' || text.length > MAX_KEY_LENGTH) return undefined
  if (!text.startsWith(ALONE)) return { groupKey: text }
  const id = text.slice(ALONE.length)
  return isId(id) ? { id } : undefined
}

/** The references of an entry, once for each of its sampled accounts. */
export const aboutsOf = ({ accountIds, statusId, reportId, type }: GroupRow): About[] =>
  accountIds.map((actorId) => ({ actorId, statusId, reportId, type }))

/** The entries that the viewer may see, with their visible sampled accounts. */
export const shownGroups = (rows: readonly GroupRow[], visible: References): GroupRow[] =>
  rows.flatMap((row) => {
    const shown = shownRows(aboutsOf(row), visible)
    return shown.length > 0 ? [{ ...row, accountIds: shown.map(({ actorId }) => actorId) }] : []
  })

const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id)

/** The same, by the hydrated records. */
export const visibleGroups = (rows: readonly GroupRow[], { accounts, statuses, reports }: Hydrated): GroupRow[] =>
  shownGroups(rows, { accountIds: idsOf(accounts), statusIds: idsOf(statuses.items), reportIds: idsOf(reports.reports) })

/**
 * The entries of a page that ends at an id, though more was read to fill it: none begins below its end, where Mastodon's web client goes on reading
 * from the last of them.
 */
export const withinPage = (rows: readonly GroupRow[], end: string): GroupRow[] =>
  rows.map((row) => (compareIds(row.pageMinId, end) < 0 ? { ...row, pageMinId: end } : row))

/** A group as a message. */
export const groupOf = (row: GroupRow, details: ReadonlyMap<string, NotificationDetail>): Group => ({
  key: row.key,
  type: row.type,
  count: Number(row.count),
  latestId: row.id,
  latestAtMilliseconds: row.latestAt.getTime(),
  pageMinId: row.pageMinId,
  sampleAccountIds: row.accountIds,
  statusId: row.statusId ?? '',
  reportId: reportIdOf(row) ?? undefined,
  detail: details.get(row.id),
})
