import type { IncomingMessage } from 'node:http'
import { type TokenHolder, TokenState } from '@rookery/contracts/auth'
import { Failure, invalid, notFound } from '@rookery/failures'
import {
  addressOf,
  type Body,
  callOf,
  type EdgeLog,
  EMPTY_BODY,
  failureOf,
  nameRoute,
  parseForm,
  readBody,
  stateOf,
  type Values,
} from '@rookery/http'
import type { RouteLimits } from '@rookery/http/limits'
import type { Call } from '@rookery/rpc'
import type { Request, RequestHandler, Response } from 'express'
import type { Clients } from '../clients.ts'
import { tokenOf } from '../tokens.ts'
import { admit } from './access.ts'
import { type Answer, answer } from './answer.ts'
import { type Context, type Endpoint, Reply } from './endpoint.ts'
import { decode } from './fields.ts'
import { createIdempotency } from './idempotency.ts'
import { linkHeader } from './links.ts'
import { createRouter, type Match } from './router.ts'

export type EndpointsDeps = {
  endpoints: readonly Endpoint[]
  clients: Clients
  checkToken: (token: string) => Promise<TokenHolder | undefined>
  limits: RouteLimits
  log: EdgeLog
}

/** What a matched request is: the endpoint and the values it was found by, and who asks. */
type Asked = Match & { query: Values; token: string | undefined; holder: TokenHolder | undefined }

const splitUrl = (url: string) => {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark + 1) }
}

/** The path of an endpoint with its parameters filled in. */
const pathOf = ({ endpoint, params }: Match) =>
  endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))

/** The body of a request, if its endpoint takes parameters or files: any other body stays unread. */
const bodyOf = (request: IncomingMessage, { input, files, fileBytes }: Endpoint) =>
  input || files.length > 0 ? readBody(request, { files, fileBytes }) : EMPTY_BODY

const MAX_KEY_LENGTH = 256

/** @throws Failure invalid for a key longer than any client's */
const idempotencyKeyOf = ({ headers }: IncomingMessage): string => {
  const key = String(headers['idempotency-key'] ?? '')
  if (key.length > MAX_KEY_LENGTH) throw invalid(`Idempotency-Key is too long (maximum is ${MAX_KEY_LENGTH} characters)`)
  return key
}

/** Seconds after which a request with a key is best sent again when a part of the server is away, as it is while it is upgraded. */
const RETRY_AFTER = 5

/** Has a client whose request may be repeated without harm know when. Rethrows. */
const sayWhen = (response: Response) => (error: unknown) => {
  if (failureOf(error).kind === 'unavailable') stateOf(response).headers['Retry-After'] = String(RETRY_AFTER)
  throw error
}

/** The whole table of endpoints as one middleware: endpoint, token, limits, access, body, input, handler, answer. */
export const serveEndpoints = ({ endpoints, clients, checkToken, limits, log }: EndpointsDeps): RequestHandler => {
  const { baseUrl, restrictions } = clients.config
  const find = createRouter(endpoints)
  const repeats = createIdempotency({ ...clients, log })

  /** Every request counts, by its address and its account, before it is judged: guessing tokens costs as much as anything else. */
  const count = async (request: Request, response: Response, { match, holder }: { match?: Match; holder?: TokenHolder | undefined }) => {
    stateOf(response).accountId = holder?.accountId ?? ''
    const isBad = holder !== undefined && holder.state !== TokenState.VALID
    await limits.countIn(
      ['address', 'account', ...(match?.endpoint.limits ?? []), ...(isBad ? ['tokens' as const] : [])],
      request,
      response,
    )
  }

  /** A query that cannot be read counts as any other. */
  const queryOf = async (search: string, refused: () => Promise<void>) => {
    try {
      return parseForm(search)
    } catch (error) {
      await refused()
      throw error
    }
  }

  /** Finds out what is asked and by whom. */
  const admitted = async (request: Request, response: Response): Promise<Asked> => {
    const { path, search } = splitUrl(request.url)
    const match = find(request.method, path)
    if (typeof match !== 'object') {
      await count(request, response, {})
      throw match ? notFound(`no id in ${path}`) : new Failure('not_found', 'Not Found')
    }
    nameRoute(request, match.endpoint.path)
    const query = await queryOf(search, () => count(request, response, { match }))
    const token = tokenOf(request.headers.authorization, query['access_token'])
    const holder = token === undefined ? undefined : await checkToken(token)
    await count(request, response, { match, holder })
    admit(match.endpoint.access, holder, restrictions)
    return { ...match, query, token, holder }
  }

  const answerOf = ({ status, body, page, headers }: Reply, asked: Asked, limit: number | undefined): Answer => {
    const { parameters } = asked.endpoint
    const link = page && linkHeader(page, { address: baseUrl + pathOf(asked), takes: parameters, query: asked.query, limit })
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    return { status, body: bytes, headers: link ? { Link: link, ...headers } : headers }
  }

  /** What runs an admitted request whose body was read. */
  const runner = (request: Request, asked: Asked, { values, files }: Body) => {
    const { endpoint, params, query, token = '', holder } = asked
    const input = endpoint.input ? decode(endpoint.input, { ...query, ...values, ...params }) : {}
    const context: Omit<Context<never>, 'call'> = {
      params,
      input: input as never,
      files,
      holder,
      token,
      viewerId: holder?.accountId ?? '',
      address: addressOf(request),
      idempotencyKey: idempotencyKeyOf(request),
    }
    const run = async (call: Call): Promise<Answer> => {
      const result = await endpoint.handle({ ...context, call }, clients)
      return answerOf(result instanceof Reply ? result : new Reply(result), asked, (input as { limit?: number }).limit)
    }
    return { context, run }
  }

  return async (request, response) => {
    const asked = await admitted(request, response)
    const { endpoint, query, token } = asked
    const body = await bodyOf(request, endpoint)
    try {
      const { context, run } = runner(request, asked, body)
      const { idempotencyKey: key, address, files } = context
      const isKeyed = key !== '' && endpoint.method !== 'GET' && !endpoint.answersRepeats
      const call = callOf(response)
      if (!isKeyed) return answer(response, await run(call))
      const values = { ...query, ...body.values }
      const asking = { key, by: token === undefined ? { address } : { token }, route: `${endpoint.method} ${pathOf(asked)}`, values, files }
      answer(response, await repeats.once(call, asking, run).catch(sayWhen(response)))
    } finally {
      await body.close()
    }
  }
}
