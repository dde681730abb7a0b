import type { RequestListener } from 'node:http'
import { readStoredNetworks } from '@rookery/barred-networks'
import type { Database } from '@rookery/database'
import type { RateCounter } from '@rookery/ephemeral'
import { createBarredNetworks, createEdge, jsonErrors } from '@rookery/http'
import { createRateLimiter, LimitExceeded, type RateLimiter, retryAfterSeconds } from '@rookery/http/limits'
import type { Clock, LimitConfig, Logger } from '@rookery/runtime'
import { type ErrorRequestHandler, type RequestHandler, Router } from 'express'
import type { FederationTables } from '../database/schema.ts'
import { isSigned } from './request-signer.ts'
import { type ServeDocumentsDeps, serveDocuments } from './serve-documents.ts'
import { type ServeInboxDeps, serveInbox } from './serve-inbox.ts'

type ServeDeps = ServeDocumentsDeps &
  ServeInboxDeps & {
    database: Database<FederationTables>
    log: Pick<Logger, 'debug' | 'warn' | 'error'>
    config: Pick<LimitConfig, 'trustedProxies'>
  }

/** Sets Retry-After (RFC 9110, 10.2.3), which other servers observe. */
const sayWhen: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof LimitExceeded && !response.headersSent) response.setHeader('Retry-After', String(error.retryAfterSeconds))
  next(error)
}

/**
 * Serves inboxes, actors, collections and statuses to other servers. Private objects are not found. With authorized fetch, unsigned
 * requests may read only the instance actor.
 */
export const serveActors = (deps: ServeDeps): RequestListener => {
  const countAddress = deps.limits.on('address')
  const countSigned = deps.limits.on('signedRequests')
  /** Signed activities are counted later, by signature and host. */
  const countUnsigned: RequestHandler = (request, response, next) => (isSigned(request) ? next() : countAddress(request, response, next))
  /** Signed fetches have a higher limit per address, because other servers send many. The signature is not verified at this point. */
  const countAsked: RequestHandler = (request, response, next) => (isSigned(request) ? countSigned : countAddress)(request, response, next)
  const router = Router()
    .use(createBarredNetworks({ read: () => readStoredNetworks(deps.database), now: deps.clock.now, log: deps.log }).refuse)
    .post(['/inbox', '/actor/inbox', '/users/:name/inbox'], countUnsigned, serveInbox(deps))
    .use(countAsked, serveDocuments(deps))
  const errors = [sayWhen, jsonErrors(deps.log)]
  return createEdge({ log: deps.log, trustedProxies: deps.config.trustedProxies, routes: [router], errors }).answer
}

/** The rate limits of requests by other servers. */
export const federationLimits = (given: { rates: RateCounter; clock: Clock; config: LimitConfig }) =>
  createRateLimiter({ rates: given.rates, now: given.clock.now, isOn: given.config.hasRateLimits })

/** Counts an activity against the limit of a host; an amount of 0 only checks the limit. @throws LimitExceeded */
export const countHost =
  ({ limits, clock }: { limits: RateLimiter; clock: Clock }) =>
  async (host: string, amount: 0 | 1): Promise<void> => {
    const status = await limits.count([{ limit: 'inbox', by: host, amount }])
    if (status?.isExceeded) throw new LimitExceeded(retryAfterSeconds(status, clock.now()))
  }
