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
/** What other servers send when they deliver. */
const BODY_TYPES = new Set(['application/activity+json', 'application/ld+json', 'application/json'])

/** The metric of what is refused. */
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

/** Takes what other servers deliver: 202 for what is kept or passed over, and counts what is refused by address. */
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
