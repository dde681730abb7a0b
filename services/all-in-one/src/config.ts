import {
  ConfigurationError,
  choice,
  count,
  list,
  optional,
  origin,
  port,
  readEnvironment,
  type Secret,
  secret,
  text,
  url,
} from '@rookery/runtime'
import type { RookeryConfig } from './compose.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const REGISTRATIONS = ['open', 'approval', 'closed'] as const
const CONFIRMATIONS = ['mail', 'automatic'] as const

export const settings = {
  PORT: port({ describe: 'The port everything is served on.', default: '3000' }),
  HOST: text({ describe: 'The address to listen on; localhost means this machine only.', default: 'localhost' }),
  BASE_URL: optional(origin({ describe: 'The address the public knows the server by; http://localhost:PORT when not set.' })),
  DATA_DIR: text({ describe: 'The folder where everything is kept.', default: '.rookery' }),
  DATABASE_URL: optional(
    secret(text({ describe: 'An outer Postgres instead of the embedded one, with a role that may create roles and schemas.' })),
  ),
  REGISTRATIONS: optional(choice(REGISTRATIONS, { describe: 'Who may sign up. Must be set on a public base URL.' })),
  CONFIRMATION: optional(choice(CONFIRMATIONS, { describe: 'How addresses are confirmed. Must be set on a public base URL.' })),
  SMTP_URL: optional(secret(text({ describe: 'Where mail is handed in: smtp(s)://user:password@host:port.' }))),
  MAIL_FROM: optional(text({ describe: 'The sender of mail.' })),
  RATE_LIMITS: choice(['on', 'off'], { describe: 'Whether calls are limited; off is for tests and benchmarks.', default: 'on' }),
  TRUSTED_PROXIES: list({ describe: 'Addresses or networks whose X-Forwarded-For is believed.', default: '' }),
  STREAMING_URL: optional(url({ describe: 'Where clients open streams, when not at the base URL: wss://host.' })),
  SOFTWARE_NAME: text({
    describe: 'The name nodeinfo gives. Some clients enable features only for mastodon; the real name stays in the version.',
    default: 'rookery',
  }),
  SOURCE_URL: optional(url({ describe: 'Where the source of the running software can be had.' })),
  BLOCKED_EMAIL_DOMAINS: list({ describe: 'E-mail providers that may not be used to sign up.', default: '' }),
  HEALTH_PORT: optional(port({ describe: 'A port for /health/live, /health/ready and /metrics; none is opened when not set.' })),
  CACHE_ENTRIES: count({ describe: 'Statuses, accounts and viewers kept in memory, each.', default: '10000' }),
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], { describe: 'What is logged.', default: 'warn' }),
}

/** What the one process needs to know. */
export type AllInOneConfig = {
  port: number
  host: string
  dataDir: string
  databaseUrl: Secret | undefined
  healthPort: number | undefined
  logLevel: string
  modules: RookeryConfig
}
