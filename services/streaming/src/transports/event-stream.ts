import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure } from '@rookery/failures'
import { RATE_LIMIT_HEADERS } from '@rookery/http/limits'
import type { Logger } from '@rookery/runtime'
import type { ChannelRequest } from '../channels/names.ts'
import type { Connection, OpenChannels, Person } from '../channels/open.ts'
import type { StreamCounts } from '../stream.figures.ts'
import { type Address, addressOf, requestedIn } from './address.ts'
import { comeBack } from './farewell.ts'
import { challengeOf, type Fault, faultOf } from './faults.ts'
import { createHeld } from './held.ts'
import { ENDING_MILLISECONDS, MOST_BUFFERED } from './limits.ts'
import type { CountRequest, ShowLimits, SignIn } from './sign-in.ts'

const ROOT = '/api/v1/streaming'

const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': RATE_LIMIT_HEADERS }
const HEADERS = {
  ...CORS,
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

/** Streams over long-lived HTTP responses, and the other pages below /api/v1/streaming. */
export type EventStreams = {
  answer(request: IncomingMessage, response: ServerResponse): void
  /** Sends everybody a comment, so that nobody takes the silence for a broken connection. */
  thump(): void
  /** Ends all streams and resolves when they are closed. */
  close(): Promise<void>
}

const replyFault = (response: ServerResponse, fault: Fault) => {
  const { status, message } = fault
  const challenge = status === 401 ? { 'www-authenticate': challengeOf(fault) } : {}
  response.writeHead(status, {
    ...CORS,
    ...challenge,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
  })
  response.end(JSON.stringify({ error: message }))
}

/** Lets pages of any origin send any header (beyond-the-spec 3.4). */
const replyPreflight = (request: IncomingMessage, response: ServerResponse) => {
  const asked = request.headers['access-control-request-headers']
  response.writeHead(204, {
    ...CORS,
    'access-control-allow-methods': 'GET, OPTIONS',
    'access-control-allow-headers': asked ?? 'Authorization, Content-Type, Idempotency-Key',
    'access-control-max-age': '86400',
  })
  response.end()
}

const showOn =
  (response: ServerResponse): ShowLimits =>
  (headers) =>
    void response.setHeaders(new Map(Object.entries(headers)))

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
  countRequest: CountRequest
  log: Logger
  counts: Pick<StreamCounts, 'cut'>
  /** Whether events without a payload are sent: some programs stop at the word that stands for it. */
  sendsEmpty: boolean
}): EventStreams => {
  const { open, signIn, countRequest, log, counts, sendsEmpty } = given
  const streams = createHeld<ServerResponse, Connection>()

  const write = (response: ServerResponse, lines: Buffer) => {
    if (response.writableEnded || response.destroyed) return
    if (response.writableLength <= MOST_BUFFERED) return void response.write(lines)
    counts.cut++
    response.destroy()
  }

  const connectionOf = (response: ServerResponse, person: Person): Connection => {
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

  const stream = async (request: IncomingMessage, response: ServerResponse, address: Address) => {
    const person = await signIn(request, showOn(response))
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

  const route = async (request: IncomingMessage, response: ServerResponse) => {
    const address = addressOf(request)
    if (request.method === 'OPTIONS') return replyPreflight(request, response)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isHealth = address.path === `${ROOT}/health`
    const isStream = isRead && !isHealth && address.path.startsWith(`${ROOT}/`)
    if (isStream) return await stream(request, response, address)
    await countRequest(request, showOn(response))
    if (!isRead || !isHealth) throw new Failure('not_found', 'Not Found')
    response.writeHead(200, { ...CORS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' }).end('OK')
  }

  return {
    answer(request, response) {
      // A broken connection closes; nothing else is to be done about it.
      response.on('error', () => {})
      route(request, response).catch((error: unknown) => {
        const fault = faultOf(error)
        if (fault.status >= 500) log.warn({ err: error }, 'a stream could not be opened')
        replyFault(response, fault)
      })
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
