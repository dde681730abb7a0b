import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type IdempotencyDefinition, type Reservation, ReservationState } from '@rookery/contracts/auth'
import { Failure, unavailable } from '@rookery/failures'
import { every } from '@rookery/handles'
import { type EdgeLog, failureAnswer, failureOf } from '@rookery/http'
import type { Call, Client } from '@rookery/rpc'
import type { Answer } from './answer.ts'
import { type Asking, digestsOf } from './request-digests.ts'
import { openAnswer, sealAnswer } from './sealed-answer.ts'

type Deps = { idempotency: Client<typeof IdempotencyDefinition>; log: EdgeLog }
type Digests = Awaited<ReturnType<typeof digestsOf>>

/** Larger answers are not stored, in bytes. */
const MAX_KEPT = 256 * 1024
/** How long a repeat waits for the running attempt, and its polling intervals, in milliseconds. */
const MAX_WAIT = 30_000
const LOOKS = { first: 25, last: 500 }
/** Deadline of one call, in milliseconds. */
const CALL = 15_000
/** How often the reservation of a long request is renewed, in milliseconds: several times within its lease in auth. */
const RENEWED_EVERY = 5000

const NEVER = new AbortController().signal

/** A call that continues after the client disconnected: the answer is for its next attempt. */
const uncancelled = ({ trace }: Call): Call => ({ trace, signal: NEVER, deadline: Date.now() + CALL })

/** Server errors and rate limits are not stored: a repeat may succeed. */
const isKept = ({ status, body }: Answer) => status < 500 && status !== 429 && body.length <= MAX_KEPT

/** Failures of the request become answers. @throws all other errors */
const answered = async (run: Promise<Answer>): Promise<Answer> => {
  try {
    return await run
  } catch (error) {
    const failed = failureAnswer(error)
    if (!isKept(failed)) throw error
    return failed
  }
}

/**
 * Handles requests with an Idempotency-Key: within an hour a repeat gets the answer of the first attempt, and waits for one that is still
 * running (docs/decisions/0027-the-same-request-twice.md).
 */
export const createIdempotency = ({ idempotency, log }: Deps) => {
  /** @throws Failure conflict when another attempt runs for too long, invalid for a key that was used for another request */
  const reserve = async (call: Call, { request, content }: Digests, attempt: string): Promise<Reservation> => {
    const end = Date.now() + MAX_WAIT
    for (let wait = LOOKS.first; ; wait = Math.min(2 * wait, LOOKS.last)) {
      const reservation = await idempotency.reserve(uncancelled(call), { request, content, attempt })
      if (reservation.state === ReservationState.DIFFERENT) {
        throw new Failure('invalid', 'Idempotency-Key has already been used for a request with other parameters')
      }
      if (reservation.state !== ReservationState.UNDER_WAY) return reservation
      if (Date.now() + wait > end) throw new Failure('conflict', 'A request with this Idempotency-Key is still being processed')
      await pause(wait, undefined, { signal: call.signal }).catch(() => {
        throw unavailable('the caller has gone')
      })
    }
  }

  /** Ends an attempt. An answer that cannot be stored is sent all the same, since the request was carried out. */
  const complete = async (call: Call, { request, answerKey }: Digests, { attempt, answer }: { attempt: string; answer?: Answer }) => {
    const kept = answer && isKept(answer) ? sealAnswer(answerKey, answer) : Buffer.alloc(0)
    const completed = await idempotency.complete(uncancelled(call), { request, attempt, answer: kept }).catch((error: unknown) => {
      log.warn({ err: failureOf(error), request: call.trace }, 'an answer for repeats was not kept')
    })
    return completed && completed.answer.length > 0 ? openAnswer(answerKey, completed.answer) : answer
  }

  /** Runs an attempt, and renews its reservation meanwhile. */
  const attempted = async (call: Call, digests: Digests, { attempt, id, run }: { attempt: string; id: string; run: Run }) => {
    const warn = (error: unknown) => log.warn({ err: failureOf(error), request: call.trace }, 'a request could not be kept reserved')
    const { request } = digests
    const renewal = every(RENEWED_EVERY, () => idempotency.renew(uncancelled(call), { request, attempt }), {
      onError: warn,
      holdsProcess: false,
    })
    try {
      const answer = await answered(run({ ...uncancelled(call), reservation: id }))
      return (await complete(call, digests, { attempt, answer })) ?? answer
    } catch (error) {
      await complete(call, digests, { attempt })
      throw error
    } finally {
      renewal.stop()
    }
  }

  return {
    /** Runs a request once, however often it is repeated. */
    async once(call: Call, asking: Asking, run: Run): Promise<Answer> {
      const digests = await digestsOf(asking)
      const attempt = randomUUID()
      const { state, id, answer } = await reserve(call, digests, attempt)
      return state === ReservationState.ANSWERED ? openAnswer(digests.answerKey, answer) : attempted(call, digests, { attempt, id, run })
    },
  }
}

type Run = (call: Call) => Promise<Answer>
