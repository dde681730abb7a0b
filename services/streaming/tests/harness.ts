import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { cachePool } from '@rookery/cache'
import { LiveMessage } from '@rookery/contracts/events'
import { createRenderer } from '@rookery/entities'
import { memoryEphemeral } from '@rookery/ephemeral'
import { createLogger } from '@rookery/runtime'
import { WebSocket } from 'ws'
import { createStreaming } from '../src/module.ts'
import { openOthers } from './others.ts'

export const BASE_URL = 'https://rookery.example'

type LiveEvent = NonNullable<LiveMessage['event']>
type Values = { [Kind in LiveEvent['$case']]: Extract<LiveEvent, { $case: Kind }>['value'] }

const DEFAULTS: Values = {
  status: {
    statusId: '',
    authorId: '',
    recipientIds: [],
    isListed: false,
    isLocal: true,
    hasMedia: false,
    tags: [],
    isEdit: false,
    listIds: [],
  },
  deletion: { statusId: '', recipientIds: [], isListed: false, isLocal: true, hasMedia: false, tags: [], listIds: [] },
  notification: { id: '', recipientId: '', type: 'mention', createdAtMilliseconds: 0, accountId: '', statusId: '' },
  conversation: { recipientId: '', conversationId: '' },
  filtersChanged: { accountId: '' },
  notificationsMerged: { accountId: '' },
  announcement: { announcement: undefined },
  announcementReaction: { announcementId: '', reaction: undefined },
  announcementDeletion: { announcementId: '' },
  markers: { recipientId: '', markers: [] },
  tokenRevoked: { tokenId: '' },
  loginClosed: { accountId: '' },
}

/** A logger that collects its lines. */
const keptLog = () => {
  const lines: string[] = []
  const keep = (_details: unknown, text: string) => lines.push(text)
  const log = Object.assign(createLogger({ name: 'streaming', level: 'silent' }), { warn: keep, error: keep })
  return { log, lines }
}

const DEFAULT_OPTIONS = {
  sendsEmptyEvents: true,
  drainMilliseconds: 0,
  incompleteMilliseconds: 0,
  /** How long accounts stay present after their last connection, in milliseconds. */
  graceMilliseconds: 0,
  /** The proxies whose X-Forwarded-For is trusted. */
  trustedProxies: [] as string[],
}

/** Streaming behind a real HTTP server, with auth and statuses, intervals that tests run and a log that tests read. */
export const openHarness = async (given: Partial<typeof DEFAULT_OPTIONS> = {}) => {
  const { graceMilliseconds, ...config } = { ...DEFAULT_OPTIONS, ...given }
  const { tokens, views, ...others } = await openOthers()
  const ephemeral = memoryEphemeral(() => Date.now(), { graceMilliseconds })
  const { log, lines } = keptLog()
  // Presence, replaceable by one that is slow or unavailable.
  const presence = { arrive: ephemeral.presence.arrive }
  const intervals = new Map<number, (() => void)[]>()
  const module = createStreaming({
    live: ephemeral.live,
    presence: { ...ephemeral.presence, arrive: (accountId) => presence.arrive(accountId) },
    rates: ephemeral.rates,
    clock: { now: Date.now },
    auth: tokens,
    statuses: views,
    log,
    config: {
      ...config,
      baseUrl: BASE_URL,
      cacheBytes: 1_000_000,
      hasRateLimits: false,
    },
    retryAfter: [10, 10, 10],
    every: (milliseconds, run) => {
      intervals.set(milliseconds, [...(intervals.get(milliseconds) ?? []), run])
      return () => intervals.delete(milliseconds)
    },
  })
  const server = createServer(module.http)
  server.on('upgrade', module.upgrade!)
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sockets: Listener[] = []

  return {
    tokens,
    views,
    port,
    module,
    lines,
    live: ephemeral.live,
    presence,
    renderer: createRenderer({ baseUrl: BASE_URL, pool: cachePool({ maxBytes: 1_000_000 }), caches: 'streamed' }),
    /** Bytes buffered in the server for slow readers. */
    unsent: () => [...connections].reduce((bytes, { writableLength }) => bytes + writableLength, 0),
    connected: async () => ((await ephemeral.presence.listeners()) ?? []).sort(),
    /** Runs the intervals of this many seconds. */
    after: (seconds: number) => {
      for (const run of intervals.get(seconds * 1000) ?? []) run()
    },
    intervals,
    publish: <Kind extends LiveEvent['$case']>($case: Kind, value: Partial<Values[Kind]>, eventId?: string) => {
      const event = { $case, value: { ...DEFAULTS[$case], ...value } } as LiveEvent
      void ephemeral.live.publish(LiveMessage.encode({ event, eventId }).finish())
    },
    /** Opens a WebSocket. */
    async listen(query: string, options: { headers?: Record<string, string>; protocols?: string[]; autoPong?: boolean } = {}) {
      const listener = new Listener(
        new WebSocket(`ws://127.0.0.1:${port}/api/v1/streaming${query}`, options.protocols ?? [], {
          headers: options.headers ?? {},
          autoPong: options.autoPong ?? true,
        }),
      )
      sockets.push(listener)
      await listener.opened
      return listener
    },
    get: (path: string, options: { headers?: Record<string, string>; method?: string } = {}) => openPage(port, path, options),
    async close() {
      for (const listener of sockets) listener.socket.terminate()
      await module.close?.()
      await ephemeral.close()
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
      await others.close()
    },
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>

/** A queue whose items can be awaited. */
class Line<Item> {
  readonly #come: Item[] = []
  readonly #waiting: ((item: Item) => void)[] = []
  put(item: Item) {
    const next = this.#waiting.shift()
    if (next) next(item)
    else this.#come.push(item)
  }
  next(): Promise<Item> {
    const item = this.#come.shift()
    if (item !== undefined) return Promise.resolve(item)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

/** A frame, and lines, without ids. */
const withoutId = (frame: string) => frame.replace(/,"id":"[^"]+"}$/, '}')
const withoutIds = (lines: string) => lines.replaceAll(/^id: .+\n/gm, '')

/** A client's end of a WebSocket. */
export class Listener {
  readonly socket: WebSocket
  readonly opened: Promise<void>
  readonly closed: Promise<{ code: number; reason: string }>
  readonly #frames = new Line<string>()

  constructor(socket: WebSocket) {
    this.socket = socket
    this.opened = new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    this.closed = new Promise((resolve) => socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })))
    socket.on('message', (data) => this.#frames.put(data.toString()))
    socket.on('error', () => {})
  }

  /** The next frame, without its id. */
  async next(): Promise<string> {
    return withoutId(await this.#frames.next())
  }

  /** The next frame, parsed, without its id. */
  async event(): Promise<{ stream: string[]; event: string; payload: string }> {
    return JSON.parse(await this.next())
  }

  /** The next frame, parsed, with its id. */
  async identified(): Promise<{ stream: string[]; event: string; payload: string; id: string }> {
    return JSON.parse(await this.#frames.next())
  }

  say(command: unknown) {
    this.socket.send(typeof command === 'string' ? command : JSON.stringify(command))
  }

  /** Resolves when the server has handled all earlier commands: pings are answered in order. */
  heard(): Promise<void> {
    return new Promise((resolve) => {
      this.socket.once('pong', () => resolve())
      this.socket.ping()
    })
  }
}

/** A page, or a stream, over plain HTTP. */
export type Page = {
  status: number
  headers: IncomingHttpHeaders
  /** The next part of the body, without ids; parts arrive as they were sent. */
  next(): Promise<string>
  /** The next part of the body, with its ids. */
  identified(): Promise<string>
  /** The body to its end. */
  rest(): Promise<string>
  leave(): void
}

const openPage = (port: number, path: string, options: { headers?: Record<string, string>; method?: string }): Promise<Page> =>
  new Promise((resolve, reject) => {
    const asked = httpRequest(
      { port, path, method: options.method ?? 'GET', headers: options.headers ?? {} },
      (response: IncomingMessage) => {
        const parts = new Line<string>()
        let body = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          body += part
          parts.put(part)
        })
        const ended = new Promise<void>((end) => response.once('close', end))
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          next: async () => withoutIds(await parts.next()),
          identified: () => parts.next(),
          rest: async () => {
            await ended
            return body
          },
          leave: () => asked.destroy(),
        })
      },
    )
    asked.once('error', reject).end()
  })

/** The server's answer to a refused upgrade. */
export const refusal = (port: number, query: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; reason: string; body: string }>((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/streaming${query}`, [], { headers })
    socket.once('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (part) => {
        body += part
      })
      response.once('close', () => resolve({ status: response.statusCode ?? 0, reason: String(response.headers['x-error-message']), body }))
    })
    socket.once('open', () => reject(new Error('the socket was opened')))
    socket.on('error', reject)
  })
