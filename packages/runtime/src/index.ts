export { type Clock, systemClock } from './clock.ts'
export {
  ConfigurationError,
  choice,
  count,
  list,
  optional,
  origin,
  port,
  readEnvironment,
  readTogether,
  Secret,
  type Setting,
  secret,
  text,
  url,
} from './environment.ts'
export { type Checks, createMetrics, type Figure, faultsOf, serveHealth, showFigures } from './health.ts'
export { type HttpServer, type PublicSide, serveHttp } from './http.ts'
export { createLogger, type Logger } from './logger.ts'
export type { ServiceModule, ServiceStorage } from './module.ts'
export { Opened, runProcess } from './process.ts'
export { answerUnreadable } from './unreadable.ts'
