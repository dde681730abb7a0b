import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { after, every } from '@rookery/handles'
import { answerClientError } from './bad-request.ts'
import { hasBody } from './body.ts'
import { createConnections } from './connections.ts'
import { type BodyPace, watchBodies } from './slow-bodies.ts'

/** Timeouts of a server, in milliseconds. */
export type Deadlines = {
  /** Idle time between two requests of a connection. */
  readonly keepAlive: number
  /** From the first byte, or from the connect, to the end of the headers. */
  readonly headers: number
  /** A whole request, however fast it arrives. */
  readonly request: number
  readonly body: BodyPace
  /** Unfinished bodies when the server stops. */
  readonly bodyAtStop: BodyPace
  /** Unfinished headers when the server stops. */
  readonly headersAtStop: number
  /** Unfinished requests when the server stops. */
  readonly stop: number
}

const DEADLINES: Deadlines = {
  // Longer than the proxies in front keep connections, so that this side never closes one that is about to be used.
  keepAlive: 65_000,
  headers: 15_000,
  request: 300_000,
  body: { silence: 15_000, bytesPerSecond: 1024, afterAnswer: 5000 },
  bodyAtStop: { silence: 1000, bytesPerSecond: 64 * 1024, afterAnswer: 0 },
  headersAtStop: 1000,
  // A little longer than the calls of a request may take, and shorter than the shutdown.
  stop: 18_000,
}

const SWEEP_EVERY = 250

const timeoutsOf = ({ keepAlive, headers, request }: Deadlines) => ({
  keepAliveTimeout: keepAlive,
  headersTimeout: headers,
  requestTimeout: request,
  connectionsCheckingInterval: Math.min(1000, headers),
})

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown
type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown

/** Configuration of a server. `onError` gets unexpected errors: of the server, of answers, and of the listeners. */
export type ServerDeps = {
  readonly listener: Listener
  readonly upgrade?: UpgradeListener | undefined
  readonly onError: (error: unknown) => void
  readonly deadlines?: Partial<Deadlines>
}

/** A listening server. */
export type WebServer = {
  readonly port: number
  /** Stops accepting connections, and aborts requests that are only half received within their deadlines. */
  stop(): void
  /** Stops, and resolves when all running requests are answered or past their deadline. */
  close(): Promise<void>
}

/** Error codes of a client that disconnected, which is not an error of this server. */
const GONE = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

type Place = { host: string; port: number }

/** The backlog of connections not yet accepted, as far as the system allows it: all clients may reconnect at once. */
const MAX_WAITING_CONNECTIONS = 4096

/** Listens, and resolves to the port. Later errors go to `onError`: a server that ran out of descriptors recovers. */
const listen = async (server: Server, { host, port }: Place, onError: (error: Error) => void): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ port, host, backlog: MAX_WAITING_CONNECTIONS }, resolve)
  await promise
  server.off('error', reject).on('error', onError)
  return (server.address() as AddressInfo).port
}

/** Runs a listener; an error, synchronous or not, is reported and ends the request. */
const runListener = async (run: () => unknown, onError: (error: unknown) => void, end: () => void): Promise<void> => {
  try {
    await run()
  } catch (error) {
    onError(error)
    end()
  }
}

type Served = Pick<ServerDeps, 'onError'> & { connections: ReturnType<typeof createConnections>; bodies: ReturnType<typeof watchBodies> }

/** Passes requests to the listener, and tracks their connections and bodies. */
const answerWith =
  (listener: Listener, { connections, bodies, onError }: Served) =>
  (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    response.on('error', (error: NodeJS.ErrnoException) => {
      if (!GONE.has(error.code ?? '')) onError(error)
    })
    if (connections.isFull(socket)) return void socket.destroy()
    if (hasTwoHosts(request)) return connections.refuse(socket, 'The request names more than one host')
    connections.begin(socket, response)
    if (hasBody(request)) bodies.add(request, response)
    const end = () => (response.headersSent ? socket.destroy() : response.writeHead(500).end())
    void runListener(() => listener(request, response), onError, end)
  }

/**
 * Whether a request asks for a WebSocket. Other protocols that a client offers, as Java's does HTTP/2, are ignored and the request is
 * answered (RFC 9110, 7.8).
 */
const asksForWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && /(?:^|,)\s*websocket\s*(?:,|$)/i.test(headers.upgrade ?? '')

/** Hands upgraded connections to the listener. */
const upgradeWith =
  (upgrade: UpgradeListener, { connections, onError }: Served) =>
  (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    connections.release(socket)
    void runListener(
      () => upgrade(request, socket, head),
      onError,
      () => socket.destroy(),
    )
  }

/**
 * Listens for HTTP, with deadlines for headers and bodies. The server, its connections and its answers have error listeners, and a listener
 * may throw.
 * @throws Error when the port is taken
 */
export const openServer = async ({ listener, upgrade, onError, deadlines: given }: ServerDeps, at: Place): Promise<WebServer> => {
  const deadlines = { ...DEADLINES, ...given }
  const connections = createConnections()
  const bodies = watchBodies()
  const served = { connections, bodies, onError }
  const settings = { ...timeoutsOf(deadlines), shouldUpgradeCallback: upgrade ? asksForWebSocket : () => false }
  const server = createServer(settings, answerWith(listener, served))
  server.on('connection', connections.add)
  server.on('clientError', (error, socket) => (connections.isAnswering(socket) ? socket.destroy() : answerClientError(error, socket)))
  server.on('checkExpectation', ({ socket }) => connections.refuse(socket, 'The expectation of the request is not understood'))
  if (upgrade) server.on('upgrade', upgradeWith(upgrade, served))
  let stoppedAt: number | undefined
  const endLate = () => {
    const isOver = stoppedAt !== undefined && performance.now() - stoppedAt > deadlines.headersAtStop
    if (isOver) connections.destroyIdle()
    for (const { request, isAnswered } of bodies.late(stoppedAt === undefined ? deadlines.body : deadlines.bodyAtStop)) {
      if (isAnswered) request.socket.destroy()
      else connections.refuse(request.socket, 'The request took too long')
    }
  }
  const sweep = every(SWEEP_EVERY, endLate, { onError, holdsProcess: false })
  const port = await listen(server, at, onError).catch((error) => {
    sweep.stop()
    throw error
  })
  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  const stop = () => {
    if (stoppedAt !== undefined) return
    stoppedAt = performance.now()
    connections.stop()
    server.close()
  }
  const endAll = () => {
    server.closeAllConnections()
    connections.destroyReleased()
  }
  return {
    port,
    stop,
    async close() {
      stop()
      const late = after(deadlines.stop, endAll, { onError })
      await closed
      late.stop()
      sweep.stop()
    },
  }
}
