import { type Logger as Pino, pino } from 'pino'

/** Logs an object and a fixed sentence. Never hand it tokens, passwords, keys or e-mail addresses; the redaction below is a second net. */
export type Logger = Pick<Pino, 'debug' | 'info' | 'warn' | 'error' | 'child'>

const SECRETS = ['authorization', 'cookie', 'password', 'token', 'access_token', 'client_secret', 'secret', 'email', 'code']

/** A logger to standard output, a line of JSON each. */
export const createLogger = (options: { name: string; level: string }): Logger =>
  pino({
    name: options.name,
    level: options.level,
    redact: { paths: SECRETS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '***' },
  })
