import { IdempotencyDefinition } from '@rookery/contracts/auth'
import { acknowledging, type Handler, handler } from '@rookery/rpc'
import type { Idempotency } from './index.ts'

/** The service Idempotency of the contract. */
export const createIdempotencyRpc = (idempotency: Idempotency): Handler =>
  handler(IdempotencyDefinition, {
    reserve: (_call, request) => idempotency.reserve(request),
    renew: acknowledging(idempotency.renew),
    complete: (_call, request) => idempotency.complete(request),
  })
