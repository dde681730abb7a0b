import { type IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Failure } from '@rookery/failures'
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, type Router } from 'express'
import { arrive, type EdgeLog } from './arrive.ts'
import { jsonErrors } from './errors.ts'
import { stateOf } from './state.ts'
import { noticeProxies, trustIn } from './untrusted-proxy.ts'

/** What an edge is made of. */
type EdgeDeps = {
  readonly log: EdgeLog
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. Without it no one's address matters. */
  readonly trustedProxies?: readonly string[]
  /** Middleware and routers, in order. What none of them answers is not found. */
  readonly routes: readonly (RequestHandler | Router)[]
  /** Answers what failed: JSON, as the API does, unless configured otherwise. */
  readonly errors?: ErrorRequestHandler | readonly ErrorRequestHandler[]
}

/** A side of a service that the public reaches. */
export type Edge = {
  readonly answer: RequestListener
  /** Runs an upgrade through the same middleware; `upgradeOf` hands the connection to what takes it. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Refuses proxies that are no addresses, networks or words for networks. @throws TypeError */
export const checkTrustedProxies = (trustedProxies: readonly string[]): void => void trustIn(trustedProxies)

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** The address of a request without scheme and host, which a proxy's may have (RFC 9112, 3.2.2). */
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

/** The connection that a request wants for itself; undefined for other requests. Nothing is answered on it then. */
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

/** An answer on a connection that is no longer the server's. Undefined while an earlier answer is under way on it. */
const answerOn = (request: IncomingMessage, socket: Duplex): ServerResponse | undefined => {
  if ('_httpMessage' in socket && socket._httpMessage) return undefined
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as Socket)
  response.once('finish', () => socket.end(() => socket.destroy()))
  return response
}

const { writeHead } = ServerResponse.prototype

/** Begins an answer with the headers of its state. They come with the others: set one by one before, they cost 6 µs a request. */
function writeHeadWithState(this: Response, status: number, headers?: OutgoingHttpHeaders): Response {
  return writeHead.call(this, status, { ...stateOf(this).headers, ...headers }) as Response
}

/** An express app with what all edges share: an id and a log line for each request, the caller's address, failures as answers. */
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
    // express makes them its own before any handler sees them.
    const [request, answer] = [incoming as Request, response as Response]
    request.url = originForm(request.url)
    arrive(request, answer, log)
    notice?.(request)
    // Only what fails in answering a failure comes through: express's own last word is a page of HTML.
    app(request, answer, (error: unknown) => {
      log.error({ err: error }, 'writing an error response failed')
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  }
  return {
    answer: run,
    upgrade(request, socket, head) {
      // Who hangs up meanwhile is simply gone.
      socket.on('error', () => socket.destroy())
      const response = answerOn(request, socket)
      if (!response) return void socket.destroy()
      upgrades.set(response, { socket, head })
      run(request, response)
    },
  }
}
