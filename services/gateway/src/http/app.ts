import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TokenHolder } from '@rookery/contracts/auth'
import { LIMITS } from '@rookery/contracts/limits'
import type { RateCounter } from '@rookery/ephemeral'
import { Failure } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock, Logger } from '@rookery/runtime'
import express, { type Express, type Request } from 'express'
import type { Clients } from '../clients.ts'
import { tokenOf } from '../tokens.ts'
import { admit } from './access.ts'
import { answer, answerPreflight } from './answer.ts'
import { type Body, parseForm, readBody } from './body.ts'
import { type Context, type Endpoint, Reply } from './endpoint.ts'
import { faultOf } from './faults.ts'
import { decode } from './fields.ts'
import { countCall, rateHeaders } from './limits.ts'
import { linkHeader } from './links.ts'
import { logRequest } from './request-log.ts'
import { createRouter, type Match } from './router.ts'
import type { Values } from './values.ts'

export type AppGiven = {
  endpoints: readonly Endpoint[]
  clients: Clients
  checkToken: (token: string) => Promise<TokenHolder | undefined>
  rates: RateCounter
  clock: Clock
  log: Logger
}

const TIMEOUT = 15_000

/** What a request is on its way to an answer. */
type Visit = { request: Request; match: Match; query: Values; requestId: string; address: string; headers: Record<string, string> }

const splitUrl = (url: string) => {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark + 1) }
}

const EMPTY_BODY: Body = { values: {}, files: new Map(), close: async () => {} }
const mayHaveBody = (request: IncomingMessage) =>
  request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined

const callOf = (visit: Visit, response: ServerResponse): Call => {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return { deadline: Date.now() + TIMEOUT, signal: gone.signal, trace: visit.requestId }
}

/** The gateway's HTTP surface: one pipeline for every endpoint — token, access, limits, body, input, handler, answer. */
export const createApp = (given: AppGiven): Express => {
  const { clients, log } = given
  const find = createRouter(given.endpoints)

  const identify = async (visit: Visit) => {
    const token = tokenOf(visit.request.headers.authorization, visit.query['access_token'])
    return token === undefined ? undefined : await given.checkToken(token)
  }

  const limit = async (visit: Visit, holder: TokenHolder | undefined) => {
    if (!clients.config.hasRateLimits) return
    const call = { groups: visit.match.endpoint.limits, accountId: holder?.accountId ?? '', address: visit.address }
    const standing = await countCall({ rates: given.rates, now: given.clock.now() }, call)
    if (!standing) return
    Object.assign(visit.headers, rateHeaders(standing))
    if (standing.isExceeded) throw new Failure('exhausted', 'Too many requests')
  }

  const handle = async (visit: Visit, response: ServerResponse, holder: TokenHolder | undefined, body: Body) => {
    const { endpoint, params } = visit.match
    const values = { ...visit.query, ...body.values, ...params }
    const input = endpoint.input ? decode(endpoint.input, values) : {}
    const context: Context<never> = {
      call: callOf(visit, response),
      params,
      input: input as never,
      files: body.files,
      holder,
      viewerId: holder?.accountId ?? '',
      address: visit.address,
      idempotencyKey: String(visit.request.headers['idempotency-key'] ?? ''),
    }
    const result = await endpoint.handle(context, clients)
    return { reply: result instanceof Reply ? result : new Reply(result), limit: (input as { limit?: number }).limit }
  }

  const serve = async (visit: Visit, response: ServerResponse) => {
    const { endpoint } = visit.match
    const holder = await identify(visit)
    // Limits before access: guessing tokens costs as much as anything else.
    await limit(visit, holder)
    admit(endpoint.access, holder)
    const body = mayHaveBody(visit.request) ? await readBody(visit.request, { fileBytes: LIMITS.media.imageBytes }) : EMPTY_BODY
    try {
      const { reply, limit: most } = await handle(visit, response, holder, body)
      const { path } = splitUrl(visit.request.originalUrl)
      const links = reply.page && linkHeader(reply.page, { baseUrl: clients.config.baseUrl, path, query: visit.query, limit: most })
      answer(response, {
        status: reply.status,
        body: reply.body,
        headers: { ...visit.headers, ...(links ? { Link: links } : {}), ...reply.headers },
      })
    } finally {
      await body.close()
    }
  }

  const answerFault = (visit: Pick<Visit, 'requestId' | 'headers'>, response: ServerResponse, error: unknown) => {
    const { status, body } = faultOf(error)
    if (status === 500) log.error({ err: error, request: visit.requestId }, 'a request failed by a fault of ours')
    if (response.headersSent) return response.destroy()
    const challenge =
      status === 401 ? { 'WWW-Authenticate': `Bearer realm="Rookery", error="invalid_token", error_description="${body.error}"` } : {}
    answer(response, { status, body, headers: { ...visit.headers, ...challenge } })
  }

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', [...clients.config.trustedProxies])
  app.set('query parser', false)
  app.use((request, response) => {
    if (request.method === 'OPTIONS') return answerPreflight(response)
    const startedAt = performance.now()
    const requestId = randomUUID()
    const headers = { 'X-Request-Id': requestId }
    const { path, search } = splitUrl(request.originalUrl)
    const match = find(request.method, path)
    response.once('finish', () => {
      const route = match?.endpoint.path ?? 'unknown'
      logRequest(log, {
        method: request.method,
        route,
        status: response.statusCode,
        milliseconds: performance.now() - startedAt,
        requestId,
      })
    })
    const begin = async () => {
      if (!match) throw new Failure('not_found', 'Not Found')
      const visit: Visit = { request, match, query: parseForm(search), requestId, address: request.ip ?? '', headers }
      await serve(visit, response)
    }
    begin().catch((error) => answerFault({ requestId, headers }, response, error))
  })
  return app
}
