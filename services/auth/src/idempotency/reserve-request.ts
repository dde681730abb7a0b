import { type Reservation, ReservationState, type ReserveRequest } from '@rookery/contracts/auth'
import type { Database } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { findRequest, reserve } from './request.store.ts'

/** How long an answer is kept, in milliseconds (spec, Other constants 1). */
export const KEPT_FOR = 3_600_000

/** How long an attempt is believed to run, in milliseconds: longer than its calls to other services may take. */
export const RESERVED_FOR = 20_000

export type IdempotencyDeps = { database: Database<AuthTables>; clock: Clock; ids: Ids }

/** Reserves a request with an Idempotency-Key for one attempt at a time, or says what became of it. */
export const reserveRequest =
  ({ database, clock, ids }: IdempotencyDeps) =>
  async ({ request, content, attempt }: ReserveRequest): Promise<Reservation> => {
    const nothing = { id: '', answer: Buffer.alloc(0) }
    for (;;) {
      const now = clock.now()
      const times = { now: new Date(now), until: new Date(now + RESERVED_FOR), since: new Date(now - KEPT_FOR) }
      const [granted] = await reserve(database, { request, content, attempt, id: ids.next(), ...times })
      if (granted) return { ...nothing, state: ReservationState.GRANTED, id: granted.id }
      const [known] = await findRequest(database, { request })
      // Forgotten in between.
      if (!known) continue
      if (!known.content.equals(content)) return { ...nothing, state: ReservationState.DIFFERENT }
      return known.answer
        ? { ...nothing, state: ReservationState.ANSWERED, answer: known.answer }
        : { ...nothing, state: ReservationState.UNDER_WAY }
    }
  }
