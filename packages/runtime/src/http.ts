import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { openServer, routeOf, type ServerDeps } from '@rookery/http'
import type { RequestObserver } from './metrics/index.ts'
import type { ServiceModule } from './module.ts'

/** What the public reaches: requests, upgrades to WebSockets, and what ends the streams that would otherwise go on. */
export type PublicSide = {
  http: RequestListener
  upgrade?: ServiceModule['upgrade']
  endStreams?: () => Promise<unknown>
  observe?: RequestObserver
  /** Gets errors that no listener expects. */
  onError: ServerDeps['onError']
  deadlines?: ServerDeps['deadlines']
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method of a request, or `other` for one that no one serves. */
export const methodOf = ({ method = '' }: IncomingMessage): string => (METHODS.has(method) ? method : 'other')

const CLASSES = ['other', '1xx', '2xx', '3xx', '4xx', '5xx']

const isStream = (response: ServerResponse) => response.getHeader('content-type') === 'text/event-stream'

/** A listener that reports each request it answered. */
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
 * A listener of the public side. Draining has each answer end its connection, so that the next request goes elsewhere. Closing stops
 * accepting, ends streams and lets running requests finish.
 */
export type HttpServer = { readonly port: number; drain(): void; close(): Promise<void> }

/**
 * Serves a public side at host:port (port 0: any); `localhost` means both loopback addresses, of which some machines have only one.
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
