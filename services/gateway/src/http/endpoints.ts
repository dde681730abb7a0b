import type { IncomingMessage } from 'node:http'
import { type TokenHolder, TokenState } from '@rookery/contracts/auth'
import { Failure, invalid, notFound } from '@rookery/failures'
import { addressOf, callOf, EMPTY_BODY, nameRoute, parseForm, readBody, stateOf, type Values } from '@rookery/http'
import type { RouteLimits } from '@rookery/http/limits'
import type { Request, RequestHandler, Response } from 'express'
import type { Clients } from '../clients.ts'
import { tokenOf } from '../tokens.ts'
import { admit } from './access.ts'
import { answer } from './answer.ts'
import { type Context, type Endpoint, Reply } from './endpoint.ts'
import { decode } from './fields.ts'
import { linkHeader } from './links.ts'
import { createRouter, type Match } from './router.ts'

export type EndpointsDeps = {
  endpoints: readonly Endpoint[]
  clients: Clients
  checkToken: (token: string) => Promise<TokenHolder | undefined>
  limits: RouteLimits
}

/** What a matched request is: the endpoint and the values it was found by, and who asks. */
type Asked = Match & { query: Values; token: string | undefined; holder: TokenHolder | undefined }

const splitUrl = (url: string) => {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, search: '' } : { path: url.slice(0, mark), search: url.slice(mark + 1) }
}

/** The address of an endpoint with its parameters filled in. */
const addressOfList = (baseUrl: string, { endpoint, params }: Match) =>
  baseUrl + endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))

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

/** The whole table of endpoints as one middleware: endpoint, token, limits, access, body, input, handler, answer. */
export const serveEndpoints = ({ endpoints, clients, checkToken, limits }: EndpointsDeps): RequestHandler => {
  const { baseUrl, restrictions } = clients.config
  const find = createRouter(endpoints)

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

  const send = (response: Response, asked: Asked, { status, body, page, headers }: Reply, limit: number | undefined) => {
    const { parameters } = asked.endpoint
    const link = page && linkHeader(page, { address: addressOfList(baseUrl, asked), takes: parameters, query: asked.query, limit })
    answer(response, { status, body, headers: link ? { Link: link, ...headers } : headers })
  }

  return async (request, response) => {
    const asked = await admitted(request, response)
    const { endpoint, params, query, token, holder } = asked
    const body = await bodyOf(request, endpoint)
    try {
      const input = endpoint.input ? decode(endpoint.input, { ...query, ...body.values, ...params }) : {}
      const context: Context<never> = {
        call: callOf(response),
        params,
        input: input as never,
        files: body.files,
        holder,
        token: token ?? '',
        viewerId: holder?.accountId ?? '',
        address: addressOf(request),
        idempotencyKey: idempotencyKeyOf(request),
      }
      const result = await endpoint.handle(context, clients)
      send(response, asked, result instanceof Reply ? result : new Reply(result), (input as { limit?: number }).limit)
    } finally {
      await body.close()
    }
  }
}
