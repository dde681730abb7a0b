import type { AccountPage, Report, StatusPage, ViewsDefinition } from '@rookery/contracts/statuses'
import { type Database, fillRecords, type Page } from '@rookery/database'
import { notFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { hydrate, reportsOf, viewsOf } from '../inbox/index.ts'
import { aboutsOf, type GroupKey, type GroupRow, groupKeyIn, SAMPLES, visibleGroups } from './group.rules.ts'
import { countMembers, readMembers } from './group.store.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

const missing = (key: string, viewerId: string) => notFound(`group ${key} is not in the inbox of ${viewerId}`)

/** The entry of a key, by its latest notification. */
const readRow = async (database: Database<NotificationsTables>, viewerId: string, text: string): Promise<GroupRow | undefined> => {
  const key: GroupKey | undefined = groupKeyIn(text)
  if (!key) return undefined
  const members = await readMembers(database.db, { recipientId: viewerId, key }, { limit: SAMPLES })
  const [latest] = members
  if (!latest) return undefined
  const count = 'groupKey' in key ? await countMembers(database.db, viewerId, key.groupKey) : 1
  const { id, type, statusId, reportId, createdAt } = latest
  const accountIds = members.map(({ actorId }) => actorId)
  return { id, key: text, type, statusId, reportId, count: String(count), latestAt: createdAt, accountIds, pageMinId: id }
}

/** Reads one group of the viewer. @throws Failure not_found if it is missing, another's, or not visible */
export const readGroup =
  ({ database, statuses }: Deps) =>
  async (call: Call, viewerId: string, key: string): Promise<{ row: GroupRow; views: StatusPage; reports: Report[] }> => {
    const row = await readRow(database, viewerId, key)
    if (!row) throw missing(key, viewerId)
    const parts = await hydrate(statuses.views, call, viewerId, aboutsOf(row))
    const [visible] = visibleGroups([row], parts)
    if (!visible) throw missing(key, viewerId)
    const abouts = aboutsOf(visible)
    return { row: visible, views: viewsOf(abouts, [parts]), reports: reportsOf(abouts, [parts]) }
  }

/** A page of a group's accounts, latest first. */
export const listGroupAccounts =
  ({ database, statuses }: Deps) =>
  async (call: Call, { viewerId, groupKey }: { viewerId: string; groupKey: string }, page: Page): Promise<AccountPage> => {
    const key = groupKeyIn(groupKey)
    if (!key) throw missing(groupKey, viewerId)
    const { records, cursors } = await fillRecords(page, {
      read: (part) => readMembers(database.db, { recipientId: viewerId, key }, part),
      cursorOf: ({ id }) => id,
      idOf: ({ actorId }) => actorId,
      records: async (ids) =>
        (await statuses.views.readAccounts(call, { ids: [...ids], withNewcomers: true, recipientId: viewerId })).accounts,
    })
    if (cursors.last === '' && page.limit > 0 && !page.maxId && !page.minId && !page.sinceId) throw missing(groupKey, viewerId)
    return { accounts: records, cursors }
  }
