import { choice, origin, readEnvironment } from '@rookery/runtime'

/** What the module needs to know of its server. */
export type StreamingConfig = {
  /** The public address, without a trailing slash. */
  baseUrl: string
  /** Whether event streams carry events that have no payload; WebSockets always do. */
  sendsEmptyEvents: boolean
}

export const settings = {
  BASE_URL: origin({ describe: 'The address the public knows the server by.' }),
  EMPTY_EVENTS: choice(['on', 'off'], {
    describe: 'Whether event streams carry filters_changed, whose payload is the word undefined; programs that expect JSON stop at it.',
    default: 'on',
  }),
}

/** Reads the module's part of an environment. @throws ConfigurationError */
export const readStreamingConfig = (environment: Record<string, string | undefined>): StreamingConfig => {
  const values = readEnvironment(settings, environment)
  return { baseUrl: values.BASE_URL, sendsEmptyEvents: values.EMPTY_EVENTS === 'on' }
}
