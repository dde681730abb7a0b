import type { Request, RequestHandler, Response } from 'express'
import type { ChannelRequest } from '../channels/names.ts'
import type { Connection, OpenChannels, Person } from '../channels/open.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import { type Address, addressOf, requestedIn } from './address.ts'
import { createConnectionSet } from './connection-set.ts'
import { comeBack } from './drain.ts'
import { ENDING_MILLISECONDS, MAX_BUFFERED } from './limits.ts'
import type { SignIn } from './sign-in.ts'

const ROOT = '/api/v1/streaming'

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'private, no-store',
  // Proxies must hand each event on at once.
  'x-accel-buffering': 'no',
  // A stream that ends takes its connection with it.
  connection: 'close',
}
const WELCOME = ':)\n'
const THUMP = Buffer.from(':thump\n\n')

/** Words that mean no (beyond-the-spec 0.1); an empty value is as good as none. */
const FALSE = new Set(['', '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])

/** Streams over long-lived HTTP responses. */
export type EventStreams = {
  /** GET and HEAD below /api/v1/streaming: opens a stream. */
  readonly serve: RequestHandler
  /** Sends everyone a comment, so that no one takes the silence for a broken connection. */
  thump(): void
  /** Ends all streams and resolves when they are closed. */
  close(): Promise<void>
}

/** The stream a path names, slashes for colons; `only_media` asks for the variant with media. */
const requestedBy = ({ path, query }: Address): ChannelRequest => {
  const name = path.slice(ROOT.length + 1).replaceAll('/', ':')
  const isOnlyMedia = name.startsWith('public') && !name.endsWith(':media') && !FALSE.has(query.get('only_media') ?? '')
  return requestedIn(query, isOnlyMedia ? `${name}:media` : name)
}

/** Opens event streams for people who signed in, one stream each. */
export const createEventStreams = (given: {
  open: OpenChannels
  signIn: SignIn
  counts: Pick<StreamCounts, 'cut'>
  /** Whether events without a payload are sent: some programs stop at the word that stands for it. */
  sendsEmpty: boolean
}): EventStreams => {
  const { open, signIn, counts, sendsEmpty } = given
  const streams = createConnectionSet<Response, Connection>()

  const write = (response: Response, lines: Buffer) => {
    if (response.writableEnded || response.destroyed) return
    if (response.writableLength <= MAX_BUFFERED) return void response.write(lines)
    counts.cut++
    response.destroy()
  }

  const connectionOf = (response: Response, person: Person): Connection => {
    const connection: Connection = {
      person,
      send: (event) => {
        if (event.hasPayload || sendsEmpty) write(response, event.lines())
      },
      end: (reason) => {
        open.remove(connection)
        if (response.writableEnded) return
        if (reason === 'token is no longer valid') response.end()
        else response.end(comeBack())
        response.socket?.setTimeout(ENDING_MILLISECONDS, () => response.destroy())
      },
    }
    return connection
  }

  const stream = async (request: Request, response: Response, address: Address) => {
    const person = await signIn(request, response)
    if (response.destroyed) return
    const place = await open.prepare(person, requestedBy(address))
    try {
      if (response.destroyed) return place.release()
      open.refuseFurther(person.accountId)
    } catch (error) {
      place.release()
      throw error
    }
    const connection = connectionOf(response, person)
    open.add(connection)
    streams.add(response, connection)
    response.on('close', () => {
      open.remove(connection)
      streams.remove(response)
    })
    open.connect(connection, place)
    response.writeHead(200, HEADERS)
    if (request.method === 'HEAD') response.end()
    else response.write(WELCOME)
  }

  return {
    async serve(request, response, next) {
      const address = addressOf(request)
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (!isRead || !address.path.startsWith(`${ROOT}/`)) return next()
      // A broken connection closes; nothing else is to be done about it.
      response.on('error', () => {})
      await stream(request, response, address)
    },
    thump() {
      for (const response of streams.entries.keys()) write(response, THUMP)
    },
    close() {
      for (const connection of streams.entries.values()) connection.end('server is going away')
      return streams.whenEmpty()
    },
  }
}
