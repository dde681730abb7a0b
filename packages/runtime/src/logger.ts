import { type DestinationStream, type Logger as Pino, pino } from 'pino'
import { consoleLine } from './console-line.ts'
import { standardOutput } from './standard-output.ts'

/** Logs an object and a fixed sentence. Never hand it tokens, passwords, keys or e-mail addresses; what follows is a second net. */
export type Logger = Pick<Pino, 'debug' | 'info' | 'warn' | 'error' | 'child'>

const SECRETS = ['authorization', 'cookie', 'password', 'token', 'access_token', 'client_secret', 'secret', 'email', 'code']

/** What an error says of itself, and what caused it: nothing that is merely attached to it, as the values or the connection of a statement. */
const errorOf = (error: unknown): object | string => {
  if (!(error instanceof Error)) return typeof error === 'object' ? 'an object' : String(error)
  const { name, message, stack, cause } = error
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return {
    type: name,
    message,
    stack,
    ...(code !== undefined && { fault: code }),
    ...(constraint !== undefined && { constraint }),
    ...(cause !== undefined && { cause: errorOf(cause) }),
  }
}

/** How lines look: JSON for programs, sentences for people; `auto` prints sentences where standard output is a terminal. */
export const LOG_FORMATS = ['auto', 'json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

const destinationOf = (format: LogFormat): DestinationStream => {
  const output = standardOutput()
  const isText = format === 'text' || (format === 'auto' && process.stdout.isTTY)
  return isText ? { write: (line) => output.write(consoleLine(line)) } : output
}

/** A logger to standard output in a format, or to `destination` as a line of JSON each. */
export const createLogger = (
  options: { name: string; level: string; format?: LogFormat },
  destination: DestinationStream = destinationOf(options.format ?? 'auto'),
): Logger =>
  pino(
    {
      name: options.name,
      level: options.level,
      redact: { paths: SECRETS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '***' },
      serializers: { err: errorOf },
    },
    destination,
  )
