import type { ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { type InboxFilter, referencesOf, shownRows } from '../inbox/index.ts'
import { readMarkerRows } from '../markers/index.ts'
import { aboutsOf } from './group.rules.ts'
import { readGroups } from './group.store.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/** How many groups have a notification after the one the viewer has read to, of the latest `max` of them; by the latest account of each. */
export const countUnreadGroups =
  ({ database, statuses }: Deps) =>
  async (call: Call, asked: { viewerId: string; filter: InboxFilter; groupedTypes: readonly string[] }, max: number): Promise<number> => {
    const { viewerId, ...wanted } = asked
    const [marker] = await readMarkerRows(database.db, viewerId, ['notifications'])
    const rows = await readGroups(
      database.db,
      { ...wanted, recipientId: viewerId, samples: 1 },
      { sinceId: marker?.lastReadId, limit: max },
    )
    const abouts = rows.flatMap(aboutsOf)
    if (abouts.length === 0) return 0
    return shownRows(abouts, await statuses.views.readVisible(call, { viewerId, ...referencesOf(abouts) })).length
  }
