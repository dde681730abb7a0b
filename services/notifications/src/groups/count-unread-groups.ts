import { BATCHES } from '@rookery/contracts/limits'
import type { ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { countVisible, type InboxFilter, referencesOf } from '../inbox/index.ts'
import { readMarkerRows } from '../markers/index.ts'
import { aboutsOf, SAMPLES, shownGroups } from './group.rules.ts'
import { readGroups } from './group.store.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/** Groups per read: all their sampled accounts fit into one call. */
const CHUNK = Math.floor(BATCHES.views / SAMPLES)

/** Counts the groups with unread notifications that a page would show, up to `max`. */
export const countUnreadGroups =
  ({ database, statuses }: Deps) =>
  async (call: Call, asked: { viewerId: string; filter: InboxFilter; groupedTypes: readonly string[] }, max: number): Promise<number> => {
    const { viewerId, ...wanted } = asked
    const [marker] = await readMarkerRows(database.db, viewerId, ['notifications'])
    const groups = { ...wanted, recipientId: viewerId, samples: SAMPLES }
    return countVisible(max, {
      chunk: CHUNK,
      read: (page) => readGroups(database.db, groups, { ...page, sinceId: marker?.lastReadId }),
      count: async (rows) =>
        shownGroups(rows, await statuses.views.readVisible(call, { viewerId, ...referencesOf(rows.flatMap(aboutsOf)) })).length,
    })
  }
