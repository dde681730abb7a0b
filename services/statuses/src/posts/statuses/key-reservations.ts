import { createHash } from 'node:crypto'
import type { Database } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { releaseId, reserveId } from './publish-status.store.ts'

const HOUR = 3_600_000

/** Since when keys count, at a moment in milliseconds since 1970 (spec, Other constants 1). */
export const keysSince = (now: number): Date => new Date(now - HOUR)

/** A key as it is kept: of one length however long it was typed, which an index needs. Null for none. */
export const digestOf = (key: string): string | null => (key ? createHash('sha256').update(key).digest('base64url') : null)

/** Ties the id of what is about to be made to its author's Idempotency-Key, so that a repeat of the key makes the same. */
export type KeyReservations = {
  /** A new id, or the one that another request with the key writes to. */
  reserve(authorId: string, key: string | null): Promise<string>
  /** Forgets a reservation that came to nothing, so that a later request gets an id of its own time. */
  release(authorId: string, key: string | null, id: string): Promise<void>
}

/** Reservations as rows. */
export const keyReservations = (given: { database: Database<StatusesTables>; ids: Ids; clock: Clock }): KeyReservations => {
  const { database } = given
  return {
    async reserve(authorId, key) {
      const id = given.ids.next()
      if (!key) return id
      const now = given.clock.now()
      const [row] = await reserveId(database, { authorId, key, id, now: new Date(now), since: keysSince(now) })
      return row!.statusId
    },
    async release(authorId, key, id) {
      if (key) await releaseId(database, { authorId, key, id })
    },
  }
}
