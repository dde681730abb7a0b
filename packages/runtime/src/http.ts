import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { openServer, routeOf, type ServerDeps } from '@rookery/http'
import type { RequestObserver } from './metrics/index.ts'
import type { ServiceModule } from './module.ts'

/** The public HTTP side of a service: requests, WebSocket upgrades, and a function that ends open streams. */
export type PublicSide = {
  http: RequestListener
  upgrade?: ServiceModule['upgrade']
  endStreams?: () => Promise<unknown>
  observe?: RequestObserver
  /** Called with errors that no listener handles. */
  onError: ServerDeps['onError']
  deadlines?: ServerDeps['deadlines']
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method of a request; `other` for unknown ones. */
export const methodOf = ({ method = '' }: IncomingMessage): string => (METHODS.has(method) ? method : 'other')

const CLASSES = ['other', '1xx', '2xx', '3xx', '4xx', '5xx']

const isStream = (response: ServerResponse) => response.getHeader('content-type') === 'text/event-stream'

/** Wraps a listener to report each answered request. */
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
    return http(request, response)
  }

/**
 * The public HTTP server. `drain` makes each answer close its connection, so that clients reconnect elsewhere. `close` stops accepting,
 * ends streams and waits for running requests.
 */
export type HttpServer = { readonly port: number; drain(): void; close(): Promise<void> }

/**
 * Serves the public side at host:port (port 0: any); `localhost` means both loopback addresses, of which some machines have only one.
 * @throws Error when the port is taken
 */
export const serveHttp = async (side: PublicSide, { host, port }: { host: string; port: number }): Promise<HttpServer> => {
  const { upgrade, observe, onError, deadlines } = side
  const http = observe ? observed(side.http, observe) : side.http
  let isDraining = false
  const listener: RequestListener = (request, response) => {
    if (isDraining) response.shouldKeepAlive = false
    return http(request, response)
  }
  const drain = () => {
    isDraining = true
  }
  const deps = { listener, upgrade, onError, ...(deadlines && { deadlines }) }
  const first = await openServer(deps, { host: host === 'localhost' ? '127.0.0.1' : host, port })
  const second = host === 'localhost' ? await openServer(deps, { host: '::1', port: first.port }).catch(() => undefined) : undefined
  const servers = second ? [first, second] : [first]
  return {
    port: first.port,
    drain,
    close: async () => {
      drain()
      for (const server of servers) server.stop()
      await side.endStreams?.()
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
