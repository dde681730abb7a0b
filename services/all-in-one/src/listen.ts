import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerUnreadable } from '@rookery/runtime'
import type { Rookery } from './compose.ts'

const IDLE_MILLISECONDS = 65_000
const SWEEP_MILLISECONDS = 50

const listenOn = (server: Server, port: number, host: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 1024 }, () => {
      server.off('error', reject)
      resolve()
    })
  })

/**
 * Serves everything at host:port; `localhost` means both loopback addresses, of which some machines have only one.
 * Closing stops accepting, ends streams, lets running requests finish and ends idle connections.
 */
export const listen = async (
  rookery: Rookery,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> => {
  const servers: Server[] = []
  const open = async (address: string, wanted: number) => {
    const server = createServer({ keepAliveTimeout: IDLE_MILLISECONDS }, rookery.answer)
    server.on('upgrade', rookery.upgrade)
    server.on('clientError', answerUnreadable)
    await listenOn(server, wanted, address)
    servers.push(server)
    return (server.address() as AddressInfo).port
  }
  const bound = await open(host === 'localhost' ? '127.0.0.1' : host, port)
  if (host === 'localhost') await open('::1', bound).catch(() => {})
  return {
    port: bound,
    close: async () => {
      const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      await rookery.endStreams()
      // A connection that was busy when the server stopped accepting becomes idle later.
      const sweep = setInterval(() => {
        for (const server of servers) server.closeIdleConnections()
      }, SWEEP_MILLISECONDS)
      await closed
      clearInterval(sweep)
    },
  }
}
