import { Failure, type FailureKind } from '@rookery/failures'
import { readBytes } from '@rookery/http'
import { LimitExceeded, type RateLimiter } from '@rookery/http/limits'
import type { Request, RequestHandler, Response } from 'express'
import type { InboxCounts, InboxRequest, Reception } from '../inbox/index.ts'

export type ServeInboxDeps = {
  receive(request: InboxRequest): Promise<Reception>
  limits: RateLimiter
  counts: InboxCounts
}

const MAX_BYTES = 1024 * 1024
/** Content types of deliveries. */
const BODY_TYPES = new Set(['application/activity+json', 'application/ld+json', 'application/json'])

/** The metric of each kind of rejection. */
const COUNTED: Partial<Record<FailureKind, 'unsigned' | 'malformed' | 'forbidden'>> = {
  unauthenticated: 'unsigned',
  malformed: 'malformed',
  forbidden: 'forbidden',
}

const inboxRequestOf = async (request: Request): Promise<InboxRequest> => {
  const [essence = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1)
  if (!BODY_TYPES.has(essence.trim())) throw new Failure('malformed', 'The content type is not understood')
  const { name } = request.params
  const body = await readBytes(request, MAX_BYTES)
  return { target: request.originalUrl, headers: request.headers, body, inboxOf: typeof name === 'string' ? name : '' }
}

/** Serves inboxes: answers 202 for stored and ignored activities, and counts rejected ones by address. */
export const serveInbox = ({ receive, limits, counts }: ServeInboxDeps): RequestHandler => {
  const countFailure = async (error: unknown, request: Request, response: Response): Promise<void> => {
    if (!(error instanceof Failure)) return
    const counted = COUNTED[error.kind]
    if (counted) counts[counted]++
    await limits.countIn(counted === 'unsigned' ? 'signatures' : 'signedRequests', request, response)
  }
  return async (request, response) => {
    try {
      await limits.refuseBeyond('signatures', request, response)
      await limits.refuseBeyond('signedRequests', request, response)
      const reception = await receive(await inboxRequestOf(request))
      if (reception === 'ignored') await limits.countIn('signedRequests', request, response)
    } catch (error) {
      if (error instanceof LimitExceeded) counts.limited++
      else await countFailure(error, request, response)
      throw error
    }
    response.writeHead(202, { 'Content-Length': 0 })
    response.end()
  }
}
