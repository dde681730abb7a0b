import { IdempotencyDefinition } from '@rookery/contracts/auth'
import { type Handler, handler } from '@rookery/rpc'
import type { Idempotency } from './index.ts'

/** The service Idempotency of the contract. */
export const idempotencyRpc = (idempotency: Idempotency): Handler =>
  handler(IdempotencyDefinition, {
    reserve: (_call, request) => idempotency.reserve(request),
    renew: async (_call, request) => {
      await idempotency.renew(request)
      return {}
    },
    complete: (_call, request) => idempotency.complete(request),
  })
