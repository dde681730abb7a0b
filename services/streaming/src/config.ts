import { origin, readEnvironment } from '@rookery/runtime'

/** What the module needs to know of its server. */
export type StreamingConfig = {
  /** The public address, without a trailing slash. */
  baseUrl: string
}

export const settings = { BASE_URL: origin({ describe: 'The address the public knows the server by.' }) }

/** Reads the module's part of an environment. @throws ConfigurationError */
export const readStreamingConfig = (environment: Record<string, string | undefined>): StreamingConfig => ({
  baseUrl: readEnvironment(settings, environment).BASE_URL,
})
