import { type DestinationStream, type Logger as Pino, pino } from 'pino'
import { consoleLine } from './console-line.ts'
import { standardOutput } from './standard-output.ts'

/**
 * Logs an object and a fixed sentence. Never pass tokens, passwords, keys or e-mail addresses; the redaction below is only a second line of
 * defence.
 */
export type Logger = Pick<Pino, 'debug' | 'info' | 'warn' | 'error' | 'child'>

const SECRETS = ['authorization', 'cookie', 'password', 'token', 'access_token', 'client_secret', 'secret', 'email', 'code']

/** The loggable fields of an error and its causes; not attached properties such as a statement's values or its connection. */
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

/** Log formats: JSON for programs, sentences for people; `auto` writes sentences if standard output is a terminal. */
export const LOG_FORMATS = ['auto', 'json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

const destinationOf = (format: LogFormat): DestinationStream => {
  const output = standardOutput()
  const isText = format === 'text' || (format === 'auto' && process.stdout.isTTY)
  return isText ? { write: (line) => output.write(consoleLine(line)) } : output
}

/** A logger to standard output in a format, or to `destination` in lines of JSON. */
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
