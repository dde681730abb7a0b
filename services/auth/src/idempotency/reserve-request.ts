import { type Reservation, ReservationState, type ReserveRequest } from '@rookery/contracts/auth'
import type { Database } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { findRequest, type KnownRequest, reserve } from './request.store.ts'

/** How long an answer is kept, in milliseconds (spec, Other constants 1). */
export const KEPT_FOR = 3_600_000

/** How long an attempt counts as running, in milliseconds: longer than its calls to other services may take. */
export const RESERVED_FOR = 20_000

export type IdempotencyDeps = { database: Database<AuthTables>; clock: Clock; ids: Ids }

const NOTHING = { id: '', answer: Buffer.alloc(0) }

/** What became of a request that was made before: an answer, an attempt under way, or nothing where this one has other content. */
const reservationOf = (known: KnownRequest, content: Buffer): Reservation => {
  if (!known.content.equals(content)) return { ...NOTHING, state: ReservationState.DIFFERENT }
  if (known.answer) return { ...NOTHING, state: ReservationState.ANSWERED, answer: known.answer }
  return { ...NOTHING, state: ReservationState.UNDER_WAY }
}

/** Reserves a request with an Idempotency-Key for one attempt at a time, or says what became of it. */
export const reserveRequest =
  ({ database, clock, ids }: IdempotencyDeps) =>
  async ({ request, content, attempt }: ReserveRequest): Promise<Reservation> => {
    for (;;) {
      const now = clock.now()
      const times = { now: new Date(now), until: new Date(now + RESERVED_FOR), since: new Date(now - KEPT_FOR) }
      const [granted] = await reserve(database, { request, content, attempt, id: ids.next(), ...times })
      if (granted) return { ...NOTHING, state: ReservationState.GRANTED, id: granted.id }
      // Undefined where it was forgotten in between.
      const [known] = await findRequest(database, { request })
      if (known) return reservationOf(known, content)
    }
  }
