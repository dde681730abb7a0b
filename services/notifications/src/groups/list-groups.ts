import type { Cursors } from '@rookery/contracts/common'
import type { Report, StatusPage, ViewsDefinition } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, type Page } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { type Hydrated, hydrate, type InboxFilter, reportsOf, viewsOf } from '../inbox/index.ts'
import { aboutsOf, type GroupRow, visibleGroups } from './group.rules.ts'
import { readGroups } from './group.store.ts'

/** How often a page that hidden entries left short is read on. */
const MAX_ROUNDS = 4
/** Accounts shown of a group (beyond-the-spec 1.1). */
const SAMPLES = 8

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/** A page of groups, latest first, with the records they refer to. */
export type GroupList = { rows: GroupRow[]; views: StatusPage; reports: Report[]; cursors: Cursors }

/** The page behind the last entry read, in the direction of reading. */
const after = (page: Page, last: GroupRow): Page => (page.minId ? { ...page, minId: last.id } : { ...page, maxId: last.id })

/**
 * Lists an account's notifications in groups (beyond-the-spec 1.14, 2.4). Each group stands where its latest notification is, once. Entries
 * whose status the viewer may not see, or none of whose accounts, are left out; a page they leave short is read on a bounded number of times,
 * one statement each. The cursors span all entries read.
 */
export const listGroups =
  ({ database, statuses }: Deps) =>
  async (call: Call, asked: { viewerId: string; filter: InboxFilter; groupedTypes: readonly string[] }, page: Page): Promise<GroupList> => {
    const { viewerId, ...wanted } = asked
    const hydrated: Hydrated[] = []
    const read: GroupRow[] = []
    const shown: GroupRow[] = []
    let next = page
    for (let round = 0; round < MAX_ROUNDS && shown.length < page.limit; round++) {
      const rows = await readGroups(database.db, { ...wanted, recipientId: viewerId, samples: SAMPLES }, next)
      const parts = await hydrate(statuses.views, call, viewerId, rows.flatMap(aboutsOf))
      const visible = visibleGroups(rows, parts).slice(0, page.limit - shown.length)
      hydrated.push(parts)
      shown.push(...visible)
      // A full page ends at its last visible entry: what was read behind that belongs to the next one.
      const end = shown.length >= page.limit ? rows.findIndex(({ id }) => id === visible.at(-1)?.id) + 1 : rows.length
      read.push(...rows.slice(0, end))
      const last = rows.at(-1)
      if (!last || rows.length < page.limit) break
      next = after(page, last)
    }
    const { cursors } = cursorsOf(page, read, (row) => row.id)
    const ordered = page.minId ? shown.toReversed() : shown
    const abouts = ordered.flatMap(aboutsOf)
    return { rows: ordered, views: viewsOf(abouts, hydrated), reports: reportsOf(abouts, hydrated), cursors }
  }
