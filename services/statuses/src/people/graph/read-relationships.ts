import type { Relationship } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { type RelationshipRow, readRelationshipRows } from './graph.store.ts'

const relationshipOf = (row: RelationshipRow): Relationship => {
  const [id, following, showingReblogs, notifying, languages, followedBy, blocking, blockedBy, ...rest] = row
  const [muting, mutingNotifications, requested, requestedBy, endorsed, note] = rest
  return {
    id,
    following,
    showingReblogs,
    notifying,
    languages: languages ?? [],
    followedBy,
    blocking,
    blockedBy,
    muting,
    mutingNotifications,
    requested,
    requestedBy,
    // Everybody is of this server, which nobody can shut out.
    domainBlocking: false,
    endorsed,
    note,
  }
}

/** What the viewer is to each of these accounts, in one statement; unknown ids, and suspended accounts unless asked for, are left out (beyond-the-spec 2.2). */
export const readRelationships =
  ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }) =>
  async (viewerId: string, accountIds: readonly string[], { withSuspended }: { withSuspended: boolean }): Promise<Relationship[]> =>
    (await readRelationshipRows(database, [viewerId, accountIds, new Date(clock.now()), withSuspended])).map(relationshipOf)
