import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestObserver } from './metrics/index.ts'
import type { ServiceModule } from './module.ts'
import { answerUnreadable } from './unreadable.ts'

/** Longer than the proxies in front keep connections, so that it is never us who close one that is about to be used. */
const IDLE_MILLISECONDS = 65_000
const SWEEP_MILLISECONDS = 50

/** What the public reaches: requests, upgrades to WebSockets, and what ends the streams that would otherwise go on. */
export type PublicSide = {
  http: RequestListener
  upgrade?: ServiceModule['upgrade']
  endStreams?: () => Promise<unknown>
  observe?: RequestObserver
}

const routes = new WeakMap<IncomingMessage, string>()

/** Says which pattern a request's path was found by; what Express serves says it by itself. */
export const nameRoute = (request: IncomingMessage, route: string): void => void routes.set(request, route)

type ByExpress = { route?: { path?: unknown }; baseUrl?: string }

/** The pattern of a request's path, once it was found, or `other`. */
export const routeOf = (request: IncomingMessage): string => {
  const named = routes.get(request)
  if (named !== undefined) return named
  const { route, baseUrl = '' } = request as ByExpress
  return typeof route?.path === 'string' ? baseUrl + route.path : 'other'
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method of a request, or `other` for one that nobody serves. */
export const methodOf = ({ method = '' }: IncomingMessage): string => (METHODS.has(method) ? method : 'other')

const CLASSES = ['other', '1xx', '2xx', '3xx', '4xx', '5xx']

const isStream = (response: ServerResponse) => response.getHeader('content-type') === 'text/event-stream'

/** A listener that tells of each request it answered. */
const observed =
  (http: RequestListener, observe: RequestObserver): RequestListener =>
  (request, response) => {
    const begun = performance.now()
    response.once('finish', () => {
      if (isStream(response)) return
      observe({
        method: methodOf(request),
        route: routeOf(request),
        status: CLASSES[Math.floor(response.statusCode / 100)] ?? 'other',
        seconds: (performance.now() - begun) / 1000,
      })
    })
    http(request, response)
  }

/** A listener of the public side. Draining has each answer end its connection, so that the next request goes elsewhere. Closing stops accepting, ends streams, lets running requests finish and ends idle connections. */
export type HttpServer = { readonly port: number; drain(): void; close(): Promise<void> }

const listenOn = async ({ http, upgrade, observe }: PublicSide, host: string, port: number): Promise<Server> => {
  const server = createServer({ keepAliveTimeout: IDLE_MILLISECONDS }, observe ? observed(http, observe) : http)
  if (upgrade) server.on('upgrade', upgrade)
  server.on('clientError', answerUnreadable)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 1024 }, resolve)
  })
  return server
}

/**
 * Serves a public side at host:port (port 0: any); `localhost` means both loopback addresses, of which some machines have only one.
 * @throws Error when the port is taken
 */
export const serveHttp = async (given: PublicSide, { host, port }: { host: string; port: number }): Promise<HttpServer> => {
  let isDraining = false
  const http: RequestListener = (request, response) => {
    if (isDraining) response.shouldKeepAlive = false
    given.http(request, response)
  }
  const side = { ...given, http }
  const drain = () => {
    isDraining = true
  }
  const first = await listenOn(side, host === 'localhost' ? '127.0.0.1' : host, port)
  const bound = (first.address() as AddressInfo).port
  const second = host === 'localhost' ? await listenOn(side, '::1', bound).catch(() => undefined) : undefined
  const servers = second ? [first, second] : [first]
  return {
    port: bound,
    drain,
    close: async () => {
      drain()
      const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      await side.endStreams?.()
      // A connection that was busy when the server stopped accepting becomes idle later.
      const sweep = setInterval(() => {
        for (const server of servers) server.closeIdleConnections()
      }, SWEEP_MILLISECONDS)
      await closed
      clearInterval(sweep)
    },
  }
}
