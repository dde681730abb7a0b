import type { IncomingMessage } from 'node:http'
import { addressOf, type Body, callOf, type EdgeLog, EMPTY_BODY, failureOf, readBody, stateOf } from '@rookery/http'
import type { Call } from '@rookery/rpc'
import type { Request, RequestHandler, Response } from 'express'
import type { Clients } from '../clients.ts'
import { type AdmissionDeps, type Asked, createAdmission } from './admission.ts'
import { type Answer, answer } from './answer.ts'
import { type Context, type Endpoint, Reply } from './endpoint.ts'
import { decode } from './fields.ts'
import { createIdempotency } from './idempotency.ts'
import { linkHeader } from './links.ts'
import type { Match } from './router.ts'

type EndpointsDeps = AdmissionDeps & { clients: Clients; log: EdgeLog }

/** The path of a matched endpoint with its parameters. */
const pathOf = ({ endpoint, params }: Match) =>
  endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))

/** The body of a request, if its endpoint has parameters or files; other bodies are not read. */
const bodyOf = (request: IncomingMessage, { input, files, fileBytes }: Endpoint) =>
  input || files.length > 0 ? readBody(request, { files, fileBytes }) : EMPTY_BODY

/** The key of a repeatable request: any string (spec, POST /api/v1/statuses). Only its digests are stored. */
const idempotencyKeyOf = ({ headers }: IncomingMessage): string => String(headers['idempotency-key'] ?? '')

/** The Retry-After, in seconds, for a request with a key while a part of the server is unavailable, as during an upgrade. */
const RETRY_AFTER = 5

/** Adds Retry-After for a client that may safely repeat its request. Rethrows. */
const addRetryAfter = (response: Response) => (error: unknown) => {
  if (failureOf(error).kind === 'unavailable') stateOf(response).headers['Retry-After'] = String(RETRY_AFTER)
  throw error
}

/** A function that runs an admitted request with its body. */
const runner = (request: Request, asked: Asked, { values, files }: Body, clients: Clients) => {
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
  const answerOf = ({ status, body, page, headers }: Reply): Answer => {
    const { limit } = input as { limit?: number }
    const address = clients.config.baseUrl + pathOf(asked)
    const link = page && linkHeader(page, { address, takes: endpoint.parameters, query, limit })
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    return { status, body: bytes, headers: link ? { Link: link, ...headers } : headers }
  }
  const run = async (call: Call): Promise<Answer> => {
    const result = await endpoint.handle({ ...context, call }, clients)
    return answerOf(result instanceof Reply ? result : new Reply(result))
  }
  return { context, run }
}

/** Serves all endpoints as one middleware: endpoint, token, limits, access, body, input, handler, answer. */
export const serveEndpoints = ({ clients, log, ...deps }: EndpointsDeps): RequestHandler => {
  const admission = createAdmission(deps, clients.config.restrictions)
  const repeats = createIdempotency({ ...clients, log })
  return async (request, response) => {
    const first = await admission.admit(request, response)
    const { endpoint, query, token } = first
    // A client decides how long a body takes, up to minutes.
    const isWhole = request.complete
    const body = await bodyOf(request, endpoint)
    try {
      const asked = isWhole || body === EMPTY_BODY ? first : await admission.admitAgain(first)
      const { context, run } = runner(request, asked, body, clients)
      const { idempotencyKey: key, address, files } = context
      const isKeyed = key !== '' && endpoint.method !== 'GET' && !endpoint.answersRepeats
      const call = callOf(response)
      if (!isKeyed) return answer(response, await run(call))
      const values = { ...query, ...body.values }
      const asking = { key, by: token === undefined ? { address } : { token }, route: `${endpoint.method} ${pathOf(asked)}`, values, files }
      answer(response, await repeats.once(call, asking, run).catch(addRetryAfter(response)))
    } finally {
      await body.close()
    }
  }
}
