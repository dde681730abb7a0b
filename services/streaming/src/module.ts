import { cachePool } from '@rookery/cache'
import { cacheMetrics, type ServiceModule } from '@rookery/runtime'
import { createCalls } from './calls.ts'
import { createListAccess } from './channels/list-access.ts'
import { createOpenChannels } from './channels/open.ts'
import { createLiveDelivery } from './live-delivery.ts'
import { createSlices } from './slices.ts'
import { noStreams, streamMetrics } from './stream.metrics.ts'
import type { StreamingDeps } from './streaming-deps.ts'
import { closeGradually } from './transports/drain.ts'
import { ENDING_MILLISECONDS } from './transports/limits.ts'
import { createOpenings } from './transports/openings.ts'
import { createTransports } from './transports/transports.ts'

export { readStreamingConfig, type StreamingConfig } from './config.ts'

/** Manages open connections: publishes events to subscribers over WebSockets and event streams. */
export const createStreaming = (deps: StreamingDeps): ServiceModule => {
  const { presence, config } = deps
  const calls = createCalls()
  const refuseOthers = createListAccess({ lists: deps.statuses.lists, calls })
  const open = createOpenChannels({
    ...{ presence, refuseOthers },
    fault: () => channel.fault(),
    begin: (subscriber, opening) => resume.begin(subscriber, opening),
  })
  const counts = noStreams()
  const [arrivals, slices] = [createSlices(), createSlices()]
  const openings = createOpenings({
    onError: (error) => deps.log.error({ err: error }, 'the wait for a stream to open could not be ended'),
  })
  const pool = cachePool({ maxBytes: config.cacheBytes })
  const areMoreComing = () => arrivals.waiting() + openings.underWay() > 0
  const { history, resume, channel } = createLiveDelivery(deps, { open, calls, slices, counts, pool, areMoreComing })
  const transports = createTransports(deps, { open, calls, openings, slices, counts, idOf: resume.idOf })
  return {
    ...{ rpc: [], consumers: [], jobs: [] },
    http: (request, response) => arrivals.run(() => transports.edge.answer(request, response)),
    upgrade(request, socket, head) {
      // A client that disconnects meanwhile is not an error.
      socket.on('error', () => socket.destroy())
      return arrivals.run(() => socket.destroyed || transports.edge.upgrade(request, socket, head))
    },
    checks: { live: channel.fault },
    closeMilliseconds: config.drainMilliseconds + ENDING_MILLISECONDS,
    metrics: [...streamMetrics(open, history, counts), ...cacheMetrics(pool)],
    async close() {
      open.close()
      // Connections stay subscribed until they are closed.
      await closeGradually(open.connections(), config.drainMilliseconds)
      await transports.close()
      channel.end()
      transports.stopIntervals()
      calls.giveUp()
    },
  }
}
