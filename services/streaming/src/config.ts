import { choice, count, type LimitConfig, limitConfig, limitSettings, origin, readEnvironment } from '@rookery/runtime'

/** What the module needs to know of its server. */
export type StreamingConfig = LimitConfig & {
  /** The public address, without a trailing slash. */
  baseUrl: string
  /** Whether event streams carry events that have no payload; WebSockets always do. */
  sendsEmptyEvents: boolean
  /** Over which time the streams of a stopping process are ended, in milliseconds. */
  drainMilliseconds: number
  /** Over which time streams that may have missed events are ended, in milliseconds. */
  incompleteMilliseconds: number
  /** What rendered bodies may take in memory. */
  cacheBytes: number
}

export const settings = {
  BASE_URL: origin({ describe: 'Public base URL of the server.' }),
  STREAM_DRAIN_SECONDS: count({
    describe: 'Seconds over which a stopping process ends its streams, so that clients do not all reconnect at once.',
    default: '0',
  }),
  STREAM_RESTART_SECONDS: count({
    describe: 'Seconds over which streams that may have missed events are ended, so that clients do not all reconnect at once.',
    default: '5',
  }),
  STREAMING_CACHE_MEGABYTES: count({
    describe: 'Memory for the JSON of recent statuses, in each process of streaming.',
    default: '8',
  }),
  EMPTY_EVENTS: choice(['on', 'off'], {
    describe: 'Whether event streams carry filters_changed, whose payload is the word undefined; programs that expect JSON stop at it.',
    default: 'on',
  }),
  ...limitSettings,
}

const MEGABYTE = 1024 * 1024

/** Reads the module's part of an environment. @throws ConfigurationError */
export const readStreamingConfig = (environment: Record<string, string | undefined>): StreamingConfig => {
  const values = readEnvironment(settings, environment)
  return {
    baseUrl: values.BASE_URL,
    sendsEmptyEvents: values.EMPTY_EVENTS === 'on',
    incompleteMilliseconds: values.STREAM_RESTART_SECONDS * 1000,
    drainMilliseconds: values.STREAM_DRAIN_SECONDS * 1000,
    ...limitConfig(values),
    cacheBytes: values.STREAMING_CACHE_MEGABYTES * MEGABYTE,
  }
}
