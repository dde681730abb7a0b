import type { CollectionPart, ReadCollectionRequest } from '@rookery/contracts/statuses'
import { type Database, MAX_ID } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { readOutboxRows, readOutboxTotal } from './outgoing.store.ts'

const MAX_OUTBOX = 80
const EMPTY: CollectionPart = { total: 0, items: [], nextMaxId: '' }

/**
 * A part of a local account's outbox, latest first: statuses and boosts that everyone may see. `limit` applies before that filter, so a part may be
 * shorter.
 */
export const readOutbox =
  ({ database }: { database: Database<StatusesTables> }) =>
  async ({ accountId, maxId, limit }: Omit<ReadCollectionRequest, 'kind'>): Promise<CollectionPart> => {
    const [account] = await readOutboxTotal(database, { accountId })
    if (!account) return EMPTY
    const wanted = Math.min(limit, MAX_OUTBOX)
    const rows = wanted > 0 ? await readOutboxRows(database, { accountId, below: maxId || MAX_ID, limit: wanted }) : []
    return {
      total: account.total,
      items: rows.filter(({ isOpen }) => isOpen).map(({ id }) => id),
      nextMaxId: rows.length === wanted ? (rows.at(-1)?.id ?? '') : '',
    }
  }
