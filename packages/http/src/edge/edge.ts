import { type IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Failure } from '@rookery/failures'
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, type Router } from 'express'
import { arrive, type EdgeLog } from './arrive.ts'
import { jsonErrors } from './errors.ts'
import { stateOf } from './state.ts'
import { noticeProxies, trustIn } from './untrusted-proxy.ts'

/** Configuration of an edge. */
type EdgeDeps = {
  readonly log: EdgeLog
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. Without it, client addresses are not resolved through proxies. */
  readonly trustedProxies?: readonly string[]
  /** Middleware and routers, in order. A request that none of them answers is not found. */
  readonly routes: readonly (RequestHandler | Router)[]
  /** The error handlers; by default failures are answered as JSON, as in the API. */
  readonly errors?: ErrorRequestHandler | readonly ErrorRequestHandler[]
}

/** The public HTTP interface of a service. */
export type Edge = {
  readonly answer: RequestListener
  /** Runs an upgrade request through the same middleware; `upgradeOf` hands over the connection. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Checks that trusted proxies are addresses, networks or names of networks. @throws TypeError */
export const checkTrustedProxies = (trustedProxies: readonly string[]): void => void trustIn(trustedProxies)

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** The request target in origin form; proxies may send it with scheme and host (RFC 9112, 3.2.2). */
const originForm = (url = '/'): string => {
  if (url.startsWith('/')) return url
  const path = url.replace(AUTHORITY, '')
  return path.startsWith('/') ? path : `/${path}`
}

const notFound: RequestHandler = () => {
  throw new Failure('not_found', 'Not Found')
}

type Upgrade = { readonly socket: Duplex; readonly head: Buffer }
const upgrades = new WeakMap<ServerResponse, Upgrade>()

/** The connection of an upgrade request, to take over; undefined for other requests. Once it is taken, no HTTP answer is sent on it. */
export const upgradeOf = (response: ServerResponse): { readonly take: () => Upgrade } | undefined => {
  const asked = upgrades.get(response)
  if (!asked) return undefined
  return {
    take() {
      response.detachSocket(asked.socket as Socket)
      return asked
    },
  }
}

/** A response on an upgraded connection. Undefined while an earlier response is being sent on it. */
const answerOn = (request: IncomingMessage, socket: Duplex): ServerResponse | undefined => {
  if ('_httpMessage' in socket && socket._httpMessage) return undefined
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as Socket)
  response.once('finish', () => socket.end(() => socket.destroy()))
  return response
}

const { writeHead } = ServerResponse.prototype

/** Writes the head together with the headers of the request state: setting them one by one beforehand costs 6 µs per request. */
function writeHeadWithState(this: Response, status: number, headers?: OutgoingHttpHeaders): Response {
  return writeHead.call(this, status, { ...stateOf(this).headers, ...headers }) as Response
}

/** An express app with what all edges share: an id and a log line for each request, the client's address, error answers. */
export const createEdge = ({ log, trustedProxies, routes, errors = jsonErrors(log) }: EdgeDeps): Edge => {
  const app = express()
  app
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', false)
    .set('trust proxy', [...(trustedProxies ?? [])])
  app.response.writeHead = writeHeadWithState as Response['writeHead']
  app.use(...routes, notFound, ...[errors].flat())
  const notice = trustedProxies && noticeProxies({ log, trustedProxies })
  const run = (incoming: IncomingMessage, response: ServerResponse) => {
    // express gives both objects its own prototypes before any handler sees them.
    const [request, answer] = [incoming as Request, response as Response]
    request.url = originForm(request.url)
    arrive(request, answer, log)
    notice?.(request)
    // Only errors of the error handlers arrive here: express would answer them with a page of HTML.
    app(request, answer, (error: unknown) => {
      log.error({ err: error }, 'writing an error response failed')
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  }
  return {
    answer: run,
    upgrade(request, socket, head) {
      // A client that disconnects meanwhile is not an error.
      socket.on('error', () => socket.destroy())
      const response = answerOn(request, socket)
      if (!response) return void socket.destroy()
      upgrades.set(response, { socket, head })
      run(request, response)
    },
  }
}
