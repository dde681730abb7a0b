import { Agent, request as ask, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import type { ServiceModule } from '../../packages/runtime/src/index.ts'

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'])

const UNAVAILABLE = JSON.stringify({ error: 'Service Unavailable' })

const forwardedFor = ({ headers, socket }: IncomingMessage) => [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ')

/** Headers to forward, as alternating names and values, without hop-by-hop headers and a rewritten one. */
const onward = (rawHeaders: readonly string[], rewritten?: string): string[] =>
  rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)]!.toLowerCase()
    return !HOP_BY_HOP.has(name) && name !== rewritten
  })

const hasBody = ({ headers }: IncomingMessage) => headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

const refuse = (response: ServerResponse) => {
  if (response.headersSent) return response.destroy()
  response.writeHead(503, { 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' }).end(UNAVAILABLE)
}

/** Forwards requests to a local port, looked up for each; answers 503 if nothing listens there. */
const passOn = (portOf: () => number): RequestListener => {
  const agent = new Agent({ keepAlive: true })
  return (request, response) => {
    const headers = [...onward(request.rawHeaders, 'x-forwarded-for'), 'x-forwarded-for', forwardedFor(request)]
    const { method, url: path } = request
    const upstream = ask({ host: '127.0.0.1', port: portOf(), method, path, headers, setHost: false, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, onward(answer.rawHeaders))
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    upstream.on('error', () => refuse(response))
    response.on('close', () => upstream.destroy())
    if (hasBody(request)) request.pipe(upstream)
    else upstream.end()
  }
}

/** Forwards WebSockets: the request unchanged, then bytes in both directions. */
const passUpgradesOn = (portOf: () => number) => (request: IncomingMessage, socket: Duplex, head: Buffer) => {
  const upstream = connect(portOf(), '127.0.0.1', () => {
    const lines = [`${request.method} ${request.url} HTTP/1.1`, `x-forwarded-for: ${forwardedFor(request)}`]
    for (let index = 0; index < request.rawHeaders.length; index += 2)
      lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`)
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`)
    upstream.write(head)
    pipeline(upstream, socket, upstream, () => {})
  })
  upstream.on('error', () => socket.destroy())
}

/** A module whose public side is in another process. */
export const remoteModule = (portOf: () => number): ServiceModule => ({
  rpc: [],
  consumers: [],
  jobs: [],
  http: passOn(portOf),
  upgrade: passUpgradesOn(portOf),
})
