import type { ReadAudienceRequest, RemoteAccountIds } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { readAudiencePart } from './outgoing.store.ts'

/** Maximum accounts per call. */
const MAX_PART = 5000

/** A part of the remote audience of a local status, in order of ids: one statement. */
export const readAudience =
  ({ database }: { database: Database<StatusesTables> }) =>
  async ({ statusId, afterId, limit }: ReadAudienceRequest): Promise<RemoteAccountIds> => {
    const wanted = Math.min(limit || MAX_PART, MAX_PART)
    const [part] = await readAudiencePart(database, { statusId, after: afterId || '0', limit: wanted })
    return { ids: part?.ids ?? [], lastId: part?.hasMore ? part.upTo : '' }
  }
