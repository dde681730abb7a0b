import type { Relationship } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { readRelationshipRows } from './graph.store.ts'

/**
 * The viewer's relationship to each of these accounts, in one statement; unknown ids are left out, and suspended accounts unless requested
 * (beyond-the-spec 2.2).
 */
export const readRelationships =
  ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }) =>
  async (viewerId: string, accountIds: readonly string[], { withSuspended }: { withSuspended: boolean }): Promise<Relationship[]> => {
    return readRelationshipRows(database, { viewerId, accountIds, now: new Date(clock.now()), withSuspended })
  }
