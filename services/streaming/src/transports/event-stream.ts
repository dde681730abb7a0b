import type { Request, RequestHandler, Response } from 'express'
import type { ChannelRequest } from '../channels/names.ts'
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
  // Proxies must hand each event on at once.
  'x-accel-buffering': 'no',
  // A stream that ends takes its connection with it.
  connection: 'close',
}
const WELCOME = ':)\n'
const THUMP = ':thump\n'

/** Words that mean no (beyond-the-spec 0.1); an empty value is as good as none. */
const FALSE = new Set(['', '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])

/** Streams over long-lived HTTP responses. */
type EventStreams = {
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

/** The id of the last event that the client has (HTML, Server-sent events, 9.2.4); programs that cannot set the header have a parameter. */
const sinceOf = (request: Request, { query }: Address): string | undefined =>
  request.get('last-event-id') || (query.get('last_event_id') ?? query.get('since') ?? undefined)

/** Whether the client says that it reads event streams by the standard: then lines with an id alone mean what they should. */
const readsIds = (request: Request): boolean => /\btext\/event-stream\b/i.test(request.get('accept') ?? '')

type OpenStream = { readonly connection: Connection /** Of clients that read ids. */; readonly subscriber: Subscriber | undefined }

/** The id from which a stream could be resumed now, which says that nothing happened since the last event. */
const idLine = (id: string | undefined): string => (id === undefined ? '\n' : `id: ${id}\n\n`)

/** Opens event streams for people who signed in, one stream each. */
export const createEventStreams = (given: {
  open: OpenChannels
  signIn: SignIn
  openings: Openings
  slices: Slices
  /** The id from which a stream could be resumed now. */
  idOf(subscriber: Subscriber): string | undefined
  counts: Pick<StreamCounts, 'cut'>
  /** Whether events without a payload are sent: some programs stop at the word that stands for it. */
  sendsEmpty: boolean
}): EventStreams => {
  const { open, signIn, openings, slices, idOf, counts, sendsEmpty } = given
  const streams = createConnectionSet<Response, OpenStream>()

  const write = createLineWriter(counts)

  /** Who hung up meanwhile, or holds too many connections by now, leaves the place unused. @throws Failure as `refuseFurther` */
  const begin = (request: Request, response: Response, { address, person, place }: { address: Address; person: Person; place: Place }) => {
    try {
      if (response.destroyed) return place.release()
      open.refuseFurther(person.accountId)
    } catch (error) {
      place.release()
      throw error
    }
    const connection = eventStreamConnection(response, person, { open, write, sendsEmpty })
    open.add(connection)
    response.writeHead(200, HEADERS)
    const isHead = request.method === 'HEAD'
    if (!isHead) response.write(WELCOME)
    const subscriber = open.connect(connection, place, sinceOf(request, address))
    const opened = { connection, subscriber: readsIds(request) ? subscriber : undefined }
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
      // A broken connection closes; nothing else is to be done about it.
      response.on('error', () => {})
      await openings.inTurn(() => stream(request, response, address))
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
