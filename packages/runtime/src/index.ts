export { nameRoute } from '@rookery/http'
export { dayOf, isCalendarDay } from './calendar-day.ts'
export { callFaults } from './call-faults.ts'
export { type Clock, systemClock } from './clock.ts'
export { diagnosticsHandler } from './diagnostics.ts'
export {
  ConfigurationError,
  choice,
  count,
  databaseUrl,
  keys,
  list,
  listOf,
  optional,
  origin,
  port,
  readEnvironment,
  readTogether,
  Secret,
  type Setting,
  secret,
  shaped,
  share,
  text,
  url,
} from './environment.ts'
export { failedWorkHandlers } from './failed-jobs.rpc.ts'
export { type Checks, faultsOf, once, serveHealth } from './health.ts'
export { type HttpServer, type PublicSide, serveHttp } from './http.ts'
export { type LimitConfig, limitConfig, limitSettings } from './limit-settings.ts'
export { createLiveness, type Liveness, progressing, watchedBus } from './liveness.ts'
export { createLogger, type LogFormat, type Logger } from './logger.ts'
export { isLoopback } from './loopback.ts'
export {
  backlogRpc,
  busMetrics,
  cacheMetrics,
  countedLive,
  createDurations,
  createMetrics,
  createObservers,
  type Metric,
  type Observers,
  poolMetrics,
  type RequestObserver,
  registerMetrics,
  relayMetrics,
  type Sample,
  sharedReading,
  storedMetrics,
} from './metrics/index.ts'
export type { PasswordCost, ServiceModule, ServiceSchema } from './module.ts'
export { operatorHandlers } from './operator.ts'
export { Lifecycle, runProcess } from './process.ts'
export { databaseCheck, outboxCheck, writesCheck } from './store-checks.ts'
export {
  openTracing,
  type Tracing,
  type TracingConfig,
  tracedBus,
  tracedClient,
  tracedHttp,
  tracedLive,
  tracingConfig,
  tracingSettings,
} from './tracing/index.ts'
export { unknownSettings } from './unknown-settings.rules.ts'
