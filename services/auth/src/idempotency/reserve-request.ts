import { type Reservation, ReservationState, type ReserveRequest } from '@rookery/contracts/auth'
import type { Database } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { findRequest, type KnownRequest, reserve } from './request.store.ts'

/** The lifetime of an idempotency key, in milliseconds (spec, Other constants 1). */
export const KEPT_FOR = 3_600_000

/** The lease of an attempt, in milliseconds: longer than its calls to other services take. */
export const RESERVED_FOR = 20_000

export type IdempotencyDeps = { database: Database<AuthTables>; clock: Clock; ids: Ids }

const NOTHING = { id: '', answer: Buffer.alloc(0) }

/** The state of a known request: answered, in progress, or of different content. */
const reservationOf = (known: KnownRequest, content: Buffer): Reservation => {
  if (!known.content.equals(content)) return { ...NOTHING, state: ReservationState.DIFFERENT }
  if (known.answer) return { ...NOTHING, state: ReservationState.ANSWERED, answer: known.answer }
  return { ...NOTHING, state: ReservationState.UNDER_WAY }
}

/** Leases a request with an Idempotency-Key to one attempt at a time, or returns the request's state. */
export const reserveRequest =
  ({ database, clock, ids }: IdempotencyDeps) =>
  async ({ request, content, attempt }: ReserveRequest): Promise<Reservation> => {
    for (;;) {
      const now = clock.now()
      const times = { now: new Date(now), until: new Date(now + RESERVED_FOR), since: new Date(now - KEPT_FOR) }
      const [granted] = await reserve(database, { request, content, attempt, id: ids.next(), ...times })
      if (granted) return { ...NOTHING, state: ReservationState.GRANTED, id: granted.id }
      // Undefined if it was deleted meanwhile.
      const [known] = await findRequest(database, { request })
      if (known) return reservationOf(known, content)
    }
  }
