import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The handler of a path. */
export type Served = (response: ServerResponse, request: IncomingMessage) => void

/** A web server on this machine, which behaves like servers of others, good and bad. */
export const openPageServer = async () => {
  const served = new Map<string, Served>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = served.get(path) ?? ((missing: ServerResponse) => missing.writeHead(404, { 'Content-Type': 'text/html' }).end('no'))
    answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** The requested paths, in order. */
    asked,
    at: (path: string) => `http://localhost:${port}${path}`,
    timesAsked: (path: string) => asked.filter((each) => each === path).length,
    serve: (path: string, answer: Served) => served.set(path, answer),
    page: (path: string, html: string, type = 'text/html; charset=utf-8') =>
      served.set(path, (response) => response.writeHead(200, { 'Content-Type': type }).end(html)),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
