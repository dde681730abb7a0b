import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type TokenHolder, TokenState } from '@rookery/contracts/auth'
import { LIMITS } from '@rookery/contracts/limits'
import { Failure, invalid, notFound } from '@rookery/failures'
import { EMPTY_BODY, parseForm, readBody, type Values } from '@rookery/http'
import { clientAddressReader, type RateLimiter, rateLimitHeaders } from '@rookery/http/limits'
import { type Logger, nameRoute } from '@rookery/runtime'
import type { Clients } from '../clients.ts'
import { tokenOf } from '../tokens.ts'
import { admit } from './access.ts'
import { answer, answerPreflight } from './answer.ts'
import { callOf } from './call.ts'
import { type Context, type Endpoint, Reply } from './endpoint.ts'
import { challengeOf, faultOf } from './faults.ts'
import { decode } from './fields.ts'
import { linkHeader } from './links.ts'
import { logRequest } from './request-log.ts'
import { createRouter, type Match } from './router.ts'

export type AppGiven = {
  endpoints: readonly Endpoint[]
  clients: Clients
  checkToken: (token: string) => Promise<TokenHolder | undefined>
  limiter: RateLimiter
  log: Logger
}

/** A request on its way to its answer, and the headers the answer has so far. */
type Visit = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly id: string
  readonly address: string
  readonly headers: Record<string, string>
  match: Match | undefined
}

/** What a matched request is: the endpoint and the values it was found by, and who asks. */
type Asked = Match & { query: Values; holder: TokenHolder | undefined }

const splitUrl = (url: string) => {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark + 1) }
}

/** The address of an endpoint with its parameters filled in. */
const addressOf = (baseUrl: string, { endpoint, params }: Match) =>
  baseUrl + endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))

/** The body of a request, if its endpoint takes parameters or files: any other body stays unread. */
const bodyOf = (request: IncomingMessage, { input, files }: Endpoint) =>
  input || files.length > 0 ? readBody(request, { files, fileBytes: LIMITS.media.imageBytes }) : EMPTY_BODY

const MAX_KEY_LENGTH = 256

/** @throws Failure invalid for a key longer than any client's */
const idempotencyKeyOf = ({ headers }: IncomingMessage): string => {
  const key = String(headers['idempotency-key'] ?? '')
  if (key.length > MAX_KEY_LENGTH) throw invalid(`Idempotency-Key is too long (maximum is ${MAX_KEY_LENGTH} characters)`)
  return key
}

/** The gateway's HTTP surface: one pipeline for every endpoint — token, limits, access, body, input, handler, answer. */
export const createApp = (given: AppGiven): RequestListener => {
  const { clients, limiter, log } = given
  const { baseUrl, trustedProxies } = clients.config
  const find = createRouter(given.endpoints)
  const addressOfClient = clientAddressReader(trustedProxies)

  const identify = async (visit: Visit, query: Values) => {
    const token = tokenOf(visit.request.headers.authorization, query['access_token'])
    return token === undefined ? undefined : await given.checkToken(token)
  }

  const limit = async ({ match, address, headers }: Visit, holder: TokenHolder | undefined) => {
    const hasBadToken = holder !== undefined && holder.state !== TokenState.VALID
    const limits = match?.endpoint.limits ?? []
    const status = await limiter.countRequest({ address, accountId: holder?.accountId ?? '', limits, hasBadToken })
    if (!status) return
    Object.assign(headers, rateLimitHeaders(status))
    if (status.isExceeded) throw new Failure('exhausted', 'Too many requests')
  }

  /** A query that cannot be read counts as any other. */
  const queryOf = async (visit: Visit, search: string) => {
    try {
      return parseForm(search)
    } catch (error) {
      await limit(visit, undefined)
      throw error
    }
  }

  /** Finds out what is asked and by whom. Limits before access: guessing tokens costs as much as anything else. */
  const admitted = async (visit: Visit): Promise<Asked> => {
    const { path, search } = splitUrl(visit.request.url ?? '')
    const found = find(visit.request.method ?? '', path)
    const match = typeof found === 'object' ? found : undefined
    visit.match = match
    if (match) nameRoute(visit.request, match.endpoint.path)
    const query = match ? await queryOf(visit, search) : {}
    const holder = match && (await identify(visit, query))
    await limit(visit, holder)
    if (!match) throw found ? notFound(`no id in ${path}`) : new Failure('not_found', 'Not Found')
    admit(match.endpoint.access, holder)
    return { ...match, query, holder }
  }

  const serve = async (visit: Visit) => {
    const asked = await admitted(visit)
    const { endpoint, params, query, holder } = asked
    const body = await bodyOf(visit.request, endpoint)
    try {
      const input = endpoint.input ? decode(endpoint.input, { ...query, ...body.values, ...params }) : {}
      const context: Context<never> = {
        call: callOf(visit.id, visit.response),
        params,
        input: input as never,
        files: body.files,
        holder,
        viewerId: holder?.accountId ?? '',
        address: visit.address,
        idempotencyKey: idempotencyKeyOf(visit.request),
      }
      const result = await endpoint.handle(context, clients)
      send(visit, asked, result instanceof Reply ? result : new Reply(result), (input as { limit?: number }).limit)
    } finally {
      await body.close()
    }
  }

  const send = ({ response, headers }: Visit, asked: Asked, { status, body, page, headers: own }: Reply, most: number | undefined) => {
    const { parameters } = asked.endpoint
    const link = page && linkHeader(page, { address: addressOf(baseUrl, asked), takes: parameters, query: asked.query, limit: most })
    answer(response, { status, body, headers: { ...headers, ...(link ? { Link: link } : {}), ...own } })
  }

  const answerFault = ({ response, id, headers }: Visit, error: unknown) => {
    const { status, body } = faultOf(error)
    if (!(error instanceof Failure) || status === 500) log.error({ err: error, request: id }, 'unhandled error in request')
    if (response.headersSent) return response.destroy()
    answer(response, { status, body, headers: { ...headers, ...challengeOf(status, body.error) } })
  }

  return (request, response) => {
    if (request.method === 'OPTIONS') return answerPreflight(request, response)
    const startedAt = performance.now()
    const id = randomUUID()
    const visit: Visit = { request, response, id, address: addressOfClient(request), headers: { 'X-Request-Id': id }, match: undefined }
    response.once('finish', () => {
      const route = visit.match?.endpoint.path ?? 'unknown'
      const milliseconds = performance.now() - startedAt
      logRequest(log, { method: request.method ?? '', route, status: response.statusCode, milliseconds, requestId: id })
    })
    serve(visit).catch((error) => answerFault(visit, error))
  }
}
