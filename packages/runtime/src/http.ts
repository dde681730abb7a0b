import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServiceModule } from './module.ts'
import { answerUnreadable } from './unreadable.ts'

/** Longer than the proxies in front keep connections, so that it is never us who close one that is about to be used. */
const IDLE_MILLISECONDS = 65_000
const SWEEP_MILLISECONDS = 50

/** What the public reaches: requests, upgrades to WebSockets, and what ends the streams that would otherwise go on. */
export type PublicSide = { http: RequestListener; upgrade?: ServiceModule['upgrade']; endStreams?: () => Promise<unknown> }

/** A listener of the public side. Closing stops accepting, ends streams, lets running requests finish and ends idle connections. */
export type HttpServer = { readonly port: number; close(): Promise<void> }

const listenOn = async ({ http, upgrade }: PublicSide, host: string, port: number): Promise<Server> => {
  const server = createServer({ keepAliveTimeout: IDLE_MILLISECONDS }, http)
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
export const serveHttp = async (side: PublicSide, { host, port }: { host: string; port: number }): Promise<HttpServer> => {
  const first = await listenOn(side, host === 'localhost' ? '127.0.0.1' : host, port)
  const bound = (first.address() as AddressInfo).port
  const second = host === 'localhost' ? await listenOn(side, '::1', bound).catch(() => undefined) : undefined
  const servers = second ? [first, second] : [first]
  return {
    port: bound,
    close: async () => {
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
