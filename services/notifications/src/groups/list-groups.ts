import type { Cursors } from '@rookery/contracts/common'
import type { Report, StatusPage, ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database, Page } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { hydrate, type InboxFilter, readVisible, reportsOf, viewsOf } from '../inbox/index.ts'
import { aboutsOf, type GroupRow, SAMPLES, visibleGroups, withinPage } from './group.rules.ts'
import { readGroups } from './group.store.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/** A page of groups, latest first, with the records they refer to. */
type GroupList = { rows: GroupRow[]; views: StatusPage; reports: Report[]; cursors: Cursors }

/**
 * Lists an account's notifications in groups (beyond-the-spec 1.14, 2.4). Each group is listed once, by its latest notification. Entries
 * without a visible status or account are left out; a page that gets short is filled by further reads, a bounded number of times, one
 * statement each. The cursors span all entries read.
 */
export const listGroups =
  ({ database, statuses }: Deps) =>
  async (call: Call, asked: { viewerId: string; filter: InboxFilter; groupedTypes: readonly string[] }, page: Page): Promise<GroupList> => {
    const { viewerId, ...wanted } = asked
    const { rows, hydrated, cursors } = await readVisible(page, {
      read: (next) => readGroups(database.db, { ...wanted, recipientId: viewerId, samples: SAMPLES }, next),
      hydrate: (some) => hydrate(statuses.views, call, viewerId, some.flatMap(aboutsOf)),
      visible: visibleGroups,
    })
    const abouts = rows.flatMap(aboutsOf)
    return {
      rows: cursors.isFull ? withinPage(rows, cursors.last) : rows,
      views: viewsOf(abouts, hydrated),
      reports: reportsOf(abouts, hydrated),
      cursors,
    }
  }
