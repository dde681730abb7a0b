import type { CachePool } from '@rookery/cache'
import { createRenderer } from '@rookery/entities'
import type { Position } from '@rookery/ephemeral'
import type { Calls } from './calls.ts'
import type { OpenChannels } from './channels/open.ts'
import type { Connection, Subscriber } from './channels/subscriber.ts'
import { createDeliveries } from './delivery/deliveries.ts'
import { createDispatch } from './delivery/dispatch.ts'
import { readLiveLog } from './delivery/live-log.ts'
import { createGiveUp, createReadDeliveries } from './delivery/read-deliveries.ts'
import { createHistory } from './history/history.ts'
import { createReplay } from './resume/replay.ts'
import { createResume } from './resume/resume.ts'
import type { Slices } from './slices.ts'
import type { StreamCounts } from './stream.metrics.ts'
import type { StreamingDeps } from './streaming-deps.ts'
import { endIncomplete } from './transports/drain.ts'

/** Long enough for a replica of statuses to be replaced, or the only one to restart. */
const RETRY_AFTER = [100, 200, 500, 1000, 2000, 3000, 3000]

/** Closes connections that may have missed events. */
const createEndings =
  ({ log, config }: StreamingDeps, open: OpenChannels, counts: StreamCounts) =>
  (connections: readonly Connection[]) => {
    if (connections.length === 0) return
    log.warn({ streams: connections.length }, 'closing streams that may have missed events')
    counts.incomplete += connections.length
    for (const connection of connections) open.unsubscribeAll(connection)
    void endIncomplete(connections, config.incompleteMilliseconds)
  }

type DeliveryDeps = {
  open: OpenChannels
  calls: Calls
  slices: Slices
  counts: StreamCounts
  pool: CachePool
  /** Whether more streams are about to open: their missed events are then read together. */
  areMoreComing(): boolean
}

/** Delivers the events of the live log to streams as they come, and missed events to resumed streams. */
export const createLiveDelivery = (deps: StreamingDeps, { open, calls, slices, counts, pool, areMoreComing }: DeliveryDeps) => {
  const { log, clock } = deps
  const end = createEndings(deps, open, counts)
  const history = createHistory(clock.now)
  const giveUp = createGiveUp(end)
  const renderer = createRenderer({ baseUrl: deps.config.baseUrl, pool, caches: 'streamed' })
  const deliveriesOf = createDeliveries({ ...deps.statuses, renderer, calls })
  const readDeliveries = createReadDeliveries({ deliveriesOf, giveUp, log, counts, retryAfter: deps.retryAfter ?? RETRY_AFTER })
  const dispatch = createDispatch({ open, history, readDeliveries, giveUp, log, counts })
  const isSubscribed = (subscriber: Subscriber) => open.subscribersTo(subscriber.channel.key).has(subscriber)
  const replay = createReplay({ readDeliveries, isSubscribed, areMoreComing, slices, counts })
  const resume = createResume({ history, progress: dispatch.progress, replay, slices, counts, now: clock.now })
  /** Clients that resume are told to read their pages again; the connections of others are closed. */
  const interrupt = (from: Position | undefined) => {
    const resumes = (connection: Connection) => open.subscriptionsOf(connection).every((subscriber) => subscriber.resumes)
    const [staying = [], leaving = []] = [true, false].map((is) => open.connections().filter((each) => resumes(each) === is))
    end(leaving)
    if (from) for (const connection of staying) for (const each of open.subscriptionsOf(connection)) resume.interrupt(each, from)
  }
  return { history, resume, channel: readLiveLog({ live: deps.live, log, dispatch, interrupt }) }
}
