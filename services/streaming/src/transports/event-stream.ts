import { Failure } from '@rookery/failures'
import type { Request, RequestHandler, Response } from 'express'
import { type ChannelRequest, isChannelName } from '../channels/names.ts'
import type { OpenChannels } from '../channels/open.ts'
import type { Connection, Person, Place, Subscriber } from '../channels/subscriber.ts'
import type { Slices } from '../slices.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import { type Address, addressOf, requestedIn } from './address.ts'
import { createConnectionSet } from './connection-set.ts'
import { createLineWriter, eventStreamConnection } from './event-stream-connection.ts'
import type { Openings } from './openings.ts'
import type { SignIn } from './sign-in.ts'

const ROOT = '/api/v1/streaming'

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'private, no-store',
  // Proxies must not buffer events.
  'x-accel-buffering': 'no',
  // The connection closes with the stream.
  connection: 'close',
}
const WELCOME = ':)\n'
const THUMP = ':thump\n'

/** Values that mean false (beyond-the-spec 0.1); an empty one counts as absent. */
const FALSE = new Set(['', '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])

/** Streams over long-lived HTTP responses. */
type EventStreams = {
  /** GET and HEAD below /api/v1/streaming: opens a stream. */
  readonly serve: RequestHandler
  /** Sends a comment on every stream, so that idle connections are not taken for broken ones. */
  thump(): void
  /** Ends all streams and resolves when they are closed. */
  close(): Promise<void>
}

/**
 * The stream that a path requests, with slashes for colons; `only_media` requests its variant with media.
 * @throws Failure malformed for another path, with a text of its own (beyond-the-spec 1.7)
 */
const requestedBy = ({ path, query }: Address): ChannelRequest => {
  const name = path.slice(ROOT.length + 1).replaceAll('/', ':')
  const isOnlyMedia = name.startsWith('public') && !name.endsWith(':media') && !FALSE.has(query.get('only_media') ?? '')
  const stream = isOnlyMedia ? `${name}:media` : name
  if (!isChannelName(stream)) throw new Failure('malformed', 'Unknown channel requested')
  return requestedIn(query, stream)
}

/** The id of the last event that the client has (HTML, Server-sent events, 9.2.4); programs that cannot set the header use a parameter. */
const sinceOf = (request: Request, { query }: Address): string | undefined =>
  request.get('last-event-id') || (query.get('last_event_id') ?? query.get('since') ?? undefined)

/**
 * How the client reads. By the standard, lines with only an id have their meaning. Who neither does nor names an event may know only events of two
 * lines, as programs written with mastodon-api for Node.js or Mastodon.py do.
 */
const readingOf = (request: Request, address: Address) => {
  const [since, isStandard] = [sinceOf(request, address), /\btext\/event-stream\b/i.test(request.get('accept') ?? '')]
  return { since, isStandard, readsIds: isStandard || since !== undefined }
}

type OpenStream = {
  readonly connection: Connection
  /** Of clients that read by the standard. */
  readonly subscriber: Subscriber | undefined
}

/** A line with the id that the stream could be resumed from now, without an event. */
const idLine = (id: string | undefined): string => (id === undefined ? '\n' : `id: ${id}\n\n`)

/** Opens event streams for authenticated people, one stream per connection. */
export const createEventStreams = (given: {
  open: OpenChannels
  signIn: SignIn
  openings: Openings
  slices: Slices
  /** The id that a stream could be resumed from now. */
  idOf(subscriber: Subscriber): string | undefined
  counts: Pick<StreamCounts, 'cut'>
  /** Whether events without a payload are sent: some programs stop at the word that stands for it. */
  sendsEmpty: boolean
}): EventStreams => {
  const { open, signIn, openings, slices, idOf, counts, sendsEmpty } = given
  const streams = createConnectionSet<Response, OpenStream>()

  const write = createLineWriter(counts)

  /** Starts the stream, or releases its place if the client disconnected or has too many connections. @throws Failure as `refuseFurther` */
  const begin = (request: Request, response: Response, { address, person, place }: { address: Address; person: Person; place: Place }) => {
    try {
      if (response.destroyed) return place.release()
      open.refuseFurther(person.accountId)
    } catch (error) {
      place.release()
      throw error
    }
    const { since, isStandard, readsIds } = readingOf(request, address)
    const connection = eventStreamConnection(response, person, { open, write, sendsEmpty, readsIds })
    open.add(connection)
    response.writeHead(200, HEADERS)
    const isHead = request.method === 'HEAD'
    if (!isHead) response.write(WELCOME)
    const subscriber = open.connect(connection, place, since)
    const opened = { connection, subscriber: isStandard ? subscriber : undefined }
    streams.add(response, opened)
    response.on('close', () => {
      open.remove(connection)
      streams.remove(response)
    })
    if (isHead) response.end()
    else if (opened.subscriber) write(response, idLine(idOf(opened.subscriber)))
  }

  const stream = async (request: Request, response: Response, address: Address) => {
    const person = await signIn(request, response)
    if (response.destroyed) return
    const place = await open.prepare(person, requestedBy(address))
    await slices.run(() => begin(request, response, { address, person, place }))
  }

  return {
    async serve(request, response, next) {
      const address = addressOf(request)
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (!isRead || !address.path.startsWith(`${ROOT}/`)) return next()
      // A broken connection closes by itself.
      response.on('error', () => {})
      await openings.run(() => stream(request, response, address))
    },
    thump() {
      for (const [response, { subscriber }] of streams.entries) write(response, THUMP + idLine(subscriber && idOf(subscriber)))
    },
    close() {
      for (const { connection } of streams.entries.values()) connection.end('server is going away')
      return streams.whenEmpty()
    },
  }
}
