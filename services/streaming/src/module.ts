import { cachePool } from '@rookery/cache'
import type { IpBlocksDefinition, TokensDefinition } from '@rookery/contracts/auth'
import type { ConversationsDefinition, ListsDefinition, ViewsDefinition } from '@rookery/contracts/statuses'
import { createRenderer, type Rendered } from '@rookery/entities'
import type { LiveChannel, LiveGap, Position, Presence, RateCounter } from '@rookery/ephemeral'
import { createBarredNetworks, createEdge, crossOrigin, jsonErrors } from '@rookery/http'
import { createRateLimiter, type RouteLimits } from '@rookery/http/limits'
import type { Client } from '@rookery/rpc'
import { type Clock, cacheMetrics, type Logger, type ServiceModule } from '@rookery/runtime'
import { Router } from 'express'
import { createCalls } from './calls.ts'
import { createListAccess } from './channels/list-access.ts'
import { createOpenChannels } from './channels/open.ts'
import type { Connection, Subscriber } from './channels/subscriber.ts'
import type { StreamingConfig } from './config.ts'
import { createDeliveries } from './delivery/deliveries.ts'
import { createDispatch, type Dispatch } from './delivery/dispatch.ts'
import { createGiveUp, createInsist } from './delivery/insist.ts'
import { createHistory } from './history/history.ts'
import { createReplay } from './resume/replay.ts'
import { createResume } from './resume/resume.ts'
import { createSlices } from './slices.ts'
import { noStreams, streamMetrics } from './stream.metrics.ts'
import { endIncomplete, sayGoodbye } from './transports/drain.ts'
import { createEventStreams } from './transports/event-stream.ts'
import {
  type Every,
  NETWORKS_MILLISECONDS,
  PING_MILLISECONDS,
  systemEvery,
  THUMP_MILLISECONDS,
  TOKEN_MILLISECONDS,
} from './transports/heartbeat.ts'
import { ENDING_MILLISECONDS } from './transports/limits.ts'
import { createNetworkWatch } from './transports/network-watch.ts'
import { createOpenings } from './transports/openings.ts'
import { createSignIn } from './transports/sign-in.ts'
import { createTokenWatch } from './transports/token-watch.ts'
import { createWebSockets, refuseUpgrade } from './transports/websocket.ts'

export { readStreamingConfig, type StreamingConfig } from './config.ts'

/** What streaming needs from the process that runs it. */
type StreamingDeps = {
  live: LiveChannel
  presence: Presence
  rates: RateCounter
  clock: Clock
  auth: { tokens: Client<TokensDefinition>; ipBlocks: Client<IpBlocksDefinition> }
  statuses: { views: Client<ViewsDefinition>; conversations: Client<ConversationsDefinition>; lists: Client<ListsDefinition> }
  log: Logger
  config: StreamingConfig
  /** The machine's own intervals unless given. */
  every?: Every
  /** Pauses before what an event shows is read again, in milliseconds; after the last its streams are ended. */
  retryAfter?: readonly number[]
}

/** Long enough for a replica of statuses to be replaced, or the only one to start again. */
const RETRY_AFTER = [100, 200, 500, 1000, 2000, 3000, 3000]

/** Reads the live log at once; returns what stands in the way, and with what ends it. */
const listen = ({ live, log }: StreamingDeps, { take, restart }: Dispatch, interrupt: (from: Position | undefined) => void) => {
  let isListening = false
  const onGap = ({ from, isKept }: LiveGap) => {
    if (from) restart(from)
    if (!isKept) interrupt(from)
  }
  const subscription = live.subscribe({ read: take, onGap }).then(
    (end) => {
      isListening = true
      return end
    },
    (error: unknown) => {
      log.error({ err: error }, 'subscribing to the live channel failed')
      return () => {}
    },
  )
  return {
    fault: () => live.fault() ?? (isListening ? undefined : 'not subscribed'),
    end: () => void subscription.then((end) => end()),
  }
}

/** Whether the service answers at all: for programs that ask before they open a stream. */
const serveHealth = (limits: RouteLimits): Router =>
  Router({ caseSensitive: true }).get('/api/v1/streaming/health', limits.on('address'), (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' }).end('OK')
  })

/** Open connections: publishes events to subscribers over WebSockets and event streams. */
export const createStreaming = (deps: StreamingDeps): ServiceModule => {
  const { log, presence } = deps
  const { tokens, ipBlocks } = deps.auth
  const calls = createCalls()
  const readBarred = async () => (await ipBlocks.readBarred(calls.begin(), {})).networks
  const barred = createBarredNetworks({ read: readBarred, now: deps.clock.now, log })
  const refuseOthers = createListAccess({ lists: deps.statuses.lists, calls })
  const open = createOpenChannels({
    ...{ presence, refuseOthers },
    fault: () => channel.fault(),
    begin: (subscriber, opening) => resume.begin(subscriber, opening),
  })
  const { hasRateLimits, trustedProxies } = deps.config
  const limits = createRateLimiter({ rates: deps.rates, now: deps.clock.now, isOn: hasRateLimits })
  const signIn = createSignIn({ limits, tokens, open, calls })
  const pool = cachePool({ maxBytes: deps.config.cacheBytes })
  const renderer = createRenderer({ baseUrl: deps.config.baseUrl, cache: pool.cache<Rendered>('streamed') })
  const counts = noStreams()
  const end = (connections: readonly Connection[]) => {
    if (connections.length === 0) return
    log.warn({ streams: connections.length }, 'closing streams that may have missed events')
    counts.incomplete += connections.length
    for (const connection of connections) open.silence(connection)
    void endIncomplete(connections, deps.config.incompleteMilliseconds)
  }
  const retryAfter = deps.retryAfter ?? RETRY_AFTER
  const history = createHistory(deps.clock.now)
  const giveUp = createGiveUp(end)
  const deliveriesOf = createDeliveries({ ...deps.statuses, renderer, calls })
  const insist = createInsist({ deliveriesOf, giveUp, log, counts, retryAfter })
  const dispatch = createDispatch({ open, history, insist, giveUp, log, counts })
  const isHearing = (subscriber: Subscriber) => open.hearing(subscriber.channel.key).has(subscriber)
  const onError = (error: unknown) => log.error({ err: error }, 'the wait for a stream to open could not be ended')
  const openings = createOpenings({ onError })
  const [arrivals, slices] = [createSlices(), createSlices()]
  const areMoreComing = () => arrivals.waiting() + openings.underWay() > 0
  const replay = createReplay({ insist, isHearing, areMoreComing, slices, counts })
  const resume = createResume({ history, progress: dispatch.progress, replay, slices, counts, now: deps.clock.now })
  /** Clients that resume are asked to read again; the connections of others are ended. */
  const interrupt = (from: Position | undefined) => {
    const resumes = (connection: Connection) => open.heardBy(connection).every((subscriber) => subscriber.resumes)
    const [staying = [], leaving = []] = [true, false].map((is) => open.connections().filter((each) => resumes(each) === is))
    end(leaving)
    if (from) for (const connection of staying) for (const each of open.heardBy(connection)) resume.interrupt(each, from)
  }
  const channel = listen(deps, dispatch, interrupt)
  const webSockets = createWebSockets({ open, signIn, openings, slices, log, counts })
  const eventStreams = createEventStreams({
    open,
    signIn,
    openings,
    slices,
    idOf: resume.idOf,
    counts,
    sendsEmpty: deps.config.sendsEmptyEvents,
  })
  const edge = createEdge({
    log,
    trustedProxies,
    routes: [
      barred.refuse,
      webSockets.serve,
      ...crossOrigin('GET, OPTIONS'),
      serveHealth(limits),
      eventStreams.serve,
      limits.on('address'),
    ],
    errors: [refuseUpgrade, jsonErrors(log)],
  })
  const every = deps.every ?? systemEvery((error) => log.error({ err: error }, 'heartbeat of streams failed'))
  const intervals = [
    every(THUMP_MILLISECONDS, eventStreams.thump),
    every(PING_MILLISECONDS, webSockets.ping),
    every(TOKEN_MILLISECONDS, createTokenWatch({ tokens, open, calls, log })),
    every(NETWORKS_MILLISECONDS, createNetworkWatch({ barred, open })),
  ]
  return {
    rpc: [],
    consumers: [],
    jobs: [],
    http: (request, response) => arrivals.run(() => edge.answer(request, response)),
    upgrade(request, socket, head) {
      // Who hangs up meanwhile is simply gone.
      socket.on('error', () => socket.destroy())
      return arrivals.run(() => socket.destroyed || edge.upgrade(request, socket, head))
    },
    checks: { live: channel.fault },
    closeMilliseconds: deps.config.drainMilliseconds + ENDING_MILLISECONDS,
    metrics: [...streamMetrics(open, history, counts), ...cacheMetrics(pool)],
    async close() {
      open.close()
      // Connections stay subscribed until their turn to close comes.
      await sayGoodbye(open.connections(), deps.config.drainMilliseconds)
      await Promise.all([webSockets.close(), eventStreams.close()])
      channel.end()
      for (const end of intervals) end()
      calls.giveUp()
    },
  }
}
