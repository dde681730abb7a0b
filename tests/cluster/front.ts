// Stands in for an ingress controller, inside the cluster: passes requests on by the routes of the chart's Ingresses, each once. It tries
// nothing again, so that every request which a service loses is seen; what could not be passed on is answered with 502 and the reason.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** A path that an Ingress hands to a Service. */
export type Route = { path: string; host: string; port: number }

const { ROUTES = '[]', PUBLIC_HOST = '', PUBLIC_PROTOCOL = 'https' } = process.env
const routes = (JSON.parse(ROUTES) as Route[]).toSorted((a, b) => b.path.length - a.path.length)
// Connections are kept as long as ingress-nginx keeps them.
const agent = new Agent({ keepAlive: true, timeout: 60_000 })

const fits = (path: string, prefix: string) => prefix === '/' || path === prefix || path.startsWith(`${prefix}/`)

const onward = (incoming: IncomingMessage, keeps: boolean) => {
  const path = (incoming.url ?? '/').split('?', 1)[0]!
  const route = routes.find((each) => fits(path, each.path))
  if (!route) throw new Error(`no route for ${path}`)
  const forwarded = { host: PUBLIC_HOST, 'x-forwarded-host': PUBLIC_HOST, 'x-forwarded-proto': PUBLIC_PROTOCOL }
  const headers: NodeJS.Dict<string | string[]> = { ...incoming.headers, ...forwarded, 'x-forwarded-for': incoming.socket.remoteAddress }
  if (keeps) delete headers['connection']
  const { host, port } = route
  return request({ host, port, method: incoming.method, path: incoming.url, headers, ...(keeps ? { agent } : { agent: false }) })
}

const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
  const upstream = onward(incoming, true)
  upstream.on('response', (answer) => {
    const { connection, 'keep-alive': _, 'transfer-encoding': __, ...headers } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, headers)
    outgoing.flushHeaders()
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
  })
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (outgoing.headersSent) return void outgoing.destroy()
    outgoing
      .writeHead(502, { 'content-type': 'text/plain' })
      .end(`${error.code ?? ''} ${error.message}, ${upstream.reusedSocket ? 'over a connection that was kept' : 'over a new connection'}`)
  })
  outgoing.on('close', () => upstream.destroy())
  incoming.pipe(upstream)
}

const passUpgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
  const upstream = onward(incoming, false)
  const answer = (status: string, headers: readonly string[]) => {
    const lines = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
    socket.write(`HTTP/1.1 ${status}\r\n${lines}\r\n`)
  }
  socket.on('error', () => upstream.destroy())
  upstream.on('error', () => socket.destroy())
  upstream.on('response', (refusal) => {
    answer(`${refusal.statusCode} ${refusal.statusMessage}`, refusal.rawHeaders)
    refusal.pipe(socket)
  })
  upstream.on('upgrade', (accepted, other, first) => {
    answer('101 Switching Protocols', accepted.rawHeaders)
    socket.write(first)
    other.write(head)
    socket.pipe(other).pipe(socket)
    other.on('error', () => socket.destroy())
    other.on('close', () => socket.destroy())
    socket.on('close', () => other.destroy())
  })
  upstream.end()
}

const server = createServer({ keepAliveTimeout: 600_000, requestTimeout: 0 }, pass)
server.on('upgrade', passUpgrade)
server.listen(8080, '0.0.0.0')
process.on('SIGTERM', () => process.exit(0))
