import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { serve } from '@rookery/rpc'
import {
  callFaults,
  createLiveness,
  createLogger,
  createMetrics,
  createObservers,
  faultsOf,
  type Lifecycle,
  type Liveness,
  openTracing,
  registerMetrics,
  runProcess,
  serveHealth,
  serveHttp,
  systemClock,
  unknownSettings,
} from '@rookery/runtime'
import { startLogger } from '@rookery/runtime/service'
import { compose, type Rookery } from './compose.ts'
import { type AllInOneConfig, ownEnvironment, readConfig } from './config.ts'
import { openDatabaseServer } from './database.ts'
import { operatorAddress } from './operator.ts'

/** A relay, consumer or job worker that finishes nothing for this long is stuck, in milliseconds. */
const LIVE_MILLISECONDS = 120_000

const greeting = (baseUrl: string, notes: readonly string[]) => `Rookery listens on ${baseUrl}
  First account   npm run rookery -- accounts create NAME --email ADDRESS --role owner --confirmed
  Sign in         with Elk, Phanpy, Ivory, Tusky or toot: the server is ${new URL(baseUrl).host}
  Stop            Ctrl+C; everything is kept${notes.map((note) => `\n  ${note}`).join('')}`

type Watched = {
  rookery: Rookery
  metrics: ReturnType<typeof createMetrics>
  liveness: Liveness
  onError: (error: unknown) => void
}

/** Serves probes and metrics, if a port is configured. */
const openHealth = async (
  { healthPort: port, host }: AllInOneConfig,
  { rookery, metrics, liveness, onError }: Watched,
  lifecycle: Lifecycle,
) => {
  if (port === undefined) return
  registerMetrics(metrics, rookery.metrics)
  const { checks, degraded } = rookery
  lifecycle.add('health', await serveHealth({ port, host, checks, degraded, liveness: liveness.checks, metrics, onError }))
}

await runProcess(startLogger('rookery', ownEnvironment()), async (opened) => {
  const config = readConfig()
  const dataDir = resolve(config.dataDir)
  mkdirSync(dataDir, { recursive: true })
  const log = createLogger({ name: 'rookery', ...config.log })
  for (const sentence of unknownSettings(ownEnvironment())) log.warn(sentence)
  const urlOf = await openDatabaseServer({ ...config, dataDir }, opened, log)
  const tracing = await openTracing(config.tracing, 'rookery')
  if (tracing) opened.add('tracing', tracing)
  const metrics = createMetrics()
  const observers = createObservers(metrics)
  const liveness = opened.add('liveness', createLiveness({ timeoutMilliseconds: LIVE_MILLISECONDS }))
  const rookery = await compose({
    urlOf,
    dataDir,
    config: config.modules,
    clock: systemClock,
    log,
    watch: { observers, liveness },
    ...(tracing && { tracing }),
  })
  opened.onClose('modules', rookery.close)
  const operator = await serve(rookery.operator, operatorAddress(dataDir), { onFault: callFaults(log) })
  opened.onClose('operator', () => operator.stop())
  const onError = (error: unknown) => log.error({ err: error }, 'unhandled error in request')
  await openHealth(config, { rookery, metrics, liveness, onError }, opened)
  const { answer: http, upgrade, endStreams } = rookery
  opened.extendTimeout(config.modules.streaming.drainMilliseconds)
  opened.add('public', await serveHttp({ http, upgrade, endStreams, observe: observers.request, onError }, config))
  const faults = await faultsOf(rookery.checks)
  if (Object.keys(faults).length > 0) log.warn({ faults }, 'started with faults')
  console.log(greeting(config.baseUrl, rookery.notes))
})
