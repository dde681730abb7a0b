import { choice, count, type LimitConfig, limitConfig, limitSettings, origin, readEnvironment } from '@rookery/runtime'

/** The configuration of streaming. */
export type StreamingConfig = LimitConfig & {
  /** The public URL, without a trailing slash. */
  baseUrl: string
  /** Whether event streams carry events without a payload; WebSockets always do. */
  sendsEmptyEvents: boolean
  /** The time over which streams are closed at shutdown, in milliseconds. */
  drainMilliseconds: number
  /** The time over which streams that may have missed events are closed, in milliseconds. */
  incompleteMilliseconds: number
  /** Maximum bytes of the cache of rendered bodies. */
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

/** Reads the settings of streaming. @throws ConfigurationError */
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
