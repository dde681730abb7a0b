import { createBarredNetworks, createEdge, crossOrigin, jsonErrors } from '@rookery/http'
import { createRateLimiter, type RouteLimits } from '@rookery/http/limits'
import { Router } from 'express'
import type { Calls } from '../calls.ts'
import type { OpenChannels } from '../channels/open.ts'
import type { Subscriber } from '../channels/subscriber.ts'
import type { Slices } from '../slices.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import type { StreamingDeps } from '../streaming-deps.ts'
import { createEventStreams } from './event-stream.ts'
import { NETWORKS_MILLISECONDS, PING_MILLISECONDS, systemEvery, THUMP_MILLISECONDS, TOKEN_MILLISECONDS } from './heartbeat.ts'
import { createNetworkWatch } from './network-watch.ts'
import type { Openings } from './openings.ts'
import { createSignIn } from './sign-in.ts'
import { createTokenWatch } from './token-watch.ts'
import { createWebSockets, refuseUpgrade } from './websocket.ts'

/** The health endpoint, for programs that check it before they open a stream. */
const serveHealth = (limits: RouteLimits): Router =>
  Router({ caseSensitive: true }).get('/api/v1/streaming/health', limits.on('address'), (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' }).end('OK')
  })

type TransportDeps = {
  open: OpenChannels
  calls: Calls
  openings: Openings
  slices: Slices
  counts: StreamCounts
  idOf(subscriber: Subscriber): string | undefined
}

/** WebSockets and event streams behind one HTTP edge, and their periodic checks. */
export const createTransports = (deps: StreamingDeps, given: TransportDeps) => {
  const { log, clock, config } = deps
  const { tokens, ipBlocks } = deps.auth
  const { open, calls } = given
  const limits = createRateLimiter({ rates: deps.rates, now: clock.now, isOn: config.hasRateLimits })
  const signIn = createSignIn({ limits, tokens, open, calls })
  const webSockets = createWebSockets({ ...given, signIn, log })
  const eventStreams = createEventStreams({ ...given, signIn, sendsEmpty: config.sendsEmptyEvents })
  const readBarred = async () => (await ipBlocks.readBarred(calls.begin(), {})).networks
  const barred = createBarredNetworks({ read: readBarred, now: clock.now, log })
  const handlers = [barred.refuse, webSockets.serve, ...crossOrigin('GET, OPTIONS'), serveHealth(limits), eventStreams.serve]
  const edge = createEdge({
    log,
    trustedProxies: config.trustedProxies,
    routes: [...handlers, limits.on('address')],
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
    edge,
    /** Closes all streams; resolves when they are closed. */
    close: () => Promise.all([webSockets.close(), eventStreams.close()]),
    stopIntervals() {
      for (const end of intervals) end()
    },
  }
}
