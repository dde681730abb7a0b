import { createHash } from 'node:crypto'
import { batching } from '@rookery/batching'
import type { Database } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { releaseId, reserveIds } from './publish-status.store.ts'

const HOUR = 3_600_000

/** The time from which keys are valid, given the current time in milliseconds since 1970 (spec, Other constants 1). */
export const keysSince = (now: number): Date => new Date(now - HOUR)

/** The stored form of a key: a digest of fixed length, so that an index can hold it. Null if there is no key. */
export const digestOf = (key: string): string | null => (key ? createHash('sha256').update(key).digest('base64url') : null)

/** Reserves the id of a new status for an Idempotency-Key of its author, so that a request that repeats the key writes the same status. */
export type KeyReservations = {
  /** A new id, or the one reserved by another request with the same key. */
  reserve(authorId: string, key: string | null): Promise<string>
  /** Deletes a reservation that was not used, so that a later request gets an id of its own time. */
  release(authorId: string, key: string | null, id: string): Promise<void>
}

type Asked = { authorId: string; key: string; id: string }

/** Maximum reservations per statement, and how long to wait for a statement in progress before starting a second, in milliseconds. */
const MAX_TOGETHER = 32
const PATIENCE = 10

const nameOf = ({ authorId, key }: Omit<Asked, 'id'>) => `${authorId} ${key}`

/** Reservations as rows; concurrent ones share a statement and its transaction. */
export const keyReservations = (deps: { database: Database<StatusesTables>; ids: Ids; clock: Clock }): KeyReservations => {
  const { database } = deps

  const reserveAll = async (asked: readonly Asked[]): Promise<Map<Asked, string>> => {
    const now = deps.clock.now()
    // Of two requests with one key the first reserves the id, and both get it.
    const firsts = [...new Map(asked.toReversed().map((each) => [nameOf(each), each])).values()]
    const rows = await reserveIds(database, {
      authorIds: firsts.map(({ authorId }) => authorId),
      keys: firsts.map(({ key }) => key),
      ids: firsts.map(({ id }) => id),
      now: new Date(now),
      since: keysSince(now),
    })
    const reserved = new Map(rows.map(({ accountId: authorId, key, statusId }) => [nameOf({ authorId, key }), statusId]))
    return new Map(asked.map((each) => [each, reserved.get(nameOf(each))!]))
  }
  const reserveTogether = batching(reserveAll, { max: MAX_TOGETHER, atOnce: 2, patience: PATIENCE })

  return {
    async reserve(authorId, key) {
      const id = deps.ids.next()
      return key ? (await reserveTogether({ authorId, key, id }))! : id
    },
    async release(authorId, key, id) {
      if (key) await releaseId(database, { authorId, key, id })
    },
  }
}
