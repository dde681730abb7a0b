import type { Duplex } from 'node:stream'
import { bearerChallenge } from '@rookery/failures'
import { stateOf, upgradeOf } from '@rookery/http'
import type { Logger } from '@rookery/runtime'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { type WebSocket, WebSocketServer } from 'ws'
import type { OpenChannels } from '../channels/open.ts'
import type { Person } from '../channels/subscriber.ts'
import type { Slices } from '../slices.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import { createConnectionSet } from './connection-set.ts'
import { faultOf } from './faults.ts'
import { type FirstStream, prepareFirst } from './first-stream.ts'
import { ENDING_MILLISECONDS, LONGEST_MESSAGE } from './limits.ts'
import type { Openings } from './openings.ts'
import type { SignIn } from './sign-in.ts'
import { createSocketCommands, faultFrame, type OpenSocket, pingOrDrop } from './socket-commands.ts'
import { createFrameSender, createFrameWriter, createPongSender, webSocketConnection } from './web-socket-connection.ts'

// Its type lacks closeTimeout.
const SETTINGS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: LONGEST_MESSAGE,
  closeTimeout: ENDING_MILLISECONDS,
  // A ping is answered after the commands before it.
  autoPong: false,
}

/** Streams over WebSockets. */
export type WebSockets = {
  /** Upgrades a request for a WebSocket; passes others on. */
  readonly serve: RequestHandler
  /** Pings all sockets and disconnects those that missed the previous ping. */
  ping(): void
  /** Closes all sockets; resolves when they are closed. */
  close(): Promise<void>
}

/** Refuses an upgrade with a status, an empty body and the reason in a header (beyond-the-spec 1.7); passes other failures on. */
export const refuseUpgrade: ErrorRequestHandler = (error, _request, response, next) => {
  if (!upgradeOf(response)) return next(error)
  const { status, message } = faultOf(error)
  response.writeHead(status, {
    'X-Error-Message': message,
    'Access-Control-Allow-Origin': '*',
    'Content-Length': 0,
    ...(status === 401 ? { 'WWW-Authenticate': bearerChallenge(message) } : {}),
  })
  response.end()
}

/** Opens WebSockets for authenticated people, and runs their commands. */
export const createWebSockets = (given: {
  open: OpenChannels
  signIn: SignIn
  openings: Openings
  slices: Slices
  log: Logger
  counts: Pick<StreamCounts, 'cut'>
}): WebSockets => {
  const { open, signIn, openings, slices, log, counts } = given
  const server = new WebSocketServer(SETTINGS)
  const sockets = createConnectionSet<WebSocket, OpenSocket>()
  server.on('headers', (lines, request: Request) => {
    for (const [name, value] of Object.entries(request.res ? stateOf(request.res).headers : {})) lines.push(`${name}: ${value}`)
  })

  const [transmit, write] = [createFrameSender(counts), createFrameWriter(counts)]
  const commands = createSocketCommands({ open, transmit, answerPing: createPongSender(counts), log })

  const accept = (socket: WebSocket, carrier: Duplex, person: Person, { place, since, fault }: FirstStream) => {
    const connection = webSocketConnection({ socket, person, carrier }, { open, write })
    open.add(connection)
    if (place) open.connect(connection, place, since)
    const opened: OpenSocket = { connection, hasAnswered: true, turn: Promise.resolve(), waiting: 0 }
    sockets.add(socket, opened)
    commands.listen(socket, opened)
    // A broken connection closes by itself.
    socket.on('error', () => {})
    socket.on('close', () => {
      open.remove(connection)
      sockets.remove(socket)
    })
    if (fault) transmit(socket, faultFrame(fault))
  }

  /** Upgrades the connection, or releases the place of a client that disconnected or sent an invalid handshake. */
  const upgrade = (request: Request, response: Response, person: Person, first: FirstStream) => {
    let isAccepted = false
    try {
      open.refuseFurther(person.accountId)
      const { socket, head } = upgradeOf(response)!.take()
      server.handleUpgrade(request, socket, head, (webSocket) => {
        isAccepted = true
        accept(webSocket, socket, person, first)
      })
    } finally {
      if (!isAccepted) first.place?.release()
    }
  }

  return {
    async serve(request, response, next) {
      if (!upgradeOf(response)) return next()
      await openings.run(async () => {
        const person = await signIn(request, response)
        const first = await prepareFirst(open, request, person)
        await slices.run(() => upgrade(request, response, person, first))
      })
    },
    ping() {
      for (const [socket, opened] of sockets.entries) pingOrDrop(socket, opened)
    },
    close() {
      for (const { connection } of sockets.entries.values()) connection.end('server is going away')
      return sockets.whenEmpty()
    },
  }
}
