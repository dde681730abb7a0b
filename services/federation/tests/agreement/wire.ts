import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What happens to requests on their way: none arrives, each delivery arrives twice, or deliveries are held until they are released. */
export type Fault = 'down' | 'twice' | 'held'

type Sent = { method: string; path: string; headers: string[]; body: Buffer }

/** The way to a server, with faults: other servers know the server by its port. */
export const openWire = async () => {
  let target = new URL('http://127.0.0.1')
  let fault: Fault | undefined
  const held: Sent[] = []

  const pass = async ({ method, path, headers, body }: Sent): Promise<IncomingMessage> => {
    const { hostname, port } = target
    const sent = request({ hostname, port, method, path, headers }).end(body)
    const [answer] = await once(sent, 'response')
    return answer
  }
  /** @throws Error if it is refused: its sender got 202 already */
  const deliver = async (sent: Sent) => {
    const answered = await pass(sent)
    const said = String(await buffer(answered))
    if (answered.statusCode !== 202) throw new Error(`${sent.method} ${sent.path}: ${answered.statusCode} ${said}`)
  }
  const answer = async (asked: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/', rawHeaders: headers } = asked
    const sent = { method, path, headers, body: await buffer(asked) }
    if (fault === 'down') return asked.socket.destroy()
    if (fault === 'held' && method === 'POST') {
      held.push(sent)
      return response.writeHead(202).end()
    }
    if (fault === 'twice' && method === 'POST') await deliver(sent)
    const answered = await pass(sent)
    response.writeHead(answered.statusCode ?? 502, answered.rawHeaders)
    return answered.pipe(response)
  }

  const server = createServer((asked, response) => {
    answer(asked, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(origin: string) {
      target = new URL(origin)
    },
    fail(next: Fault) {
      fault = next
    },
    /** Ends the fault. What was held arrives, the latest first. */
    async mend() {
      fault = undefined
      for (const sent of held.splice(0).reverse()) await deliver(sent)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type Wire = Awaited<ReturnType<typeof openWire>>
