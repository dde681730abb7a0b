import { randomBytes } from 'node:crypto'
import type pg from 'pg'

/**
 * Server settings of every session, so that Postgres notices a dead client within 15 seconds and releases its locks and transactions: TCP
 * keepalives for an idle client (ignored on a unix socket), a limit for unacknowledged data, a check for a disconnected client during
 * statements, and a limit for idle transactions. That limit is below the others because it adds up: transactions of a dead client that wait
 * for one lock each hold it for that time, one after the other.
 */
const ASKED = {
  tcp_keepalives_idle: '5s',
  tcp_keepalives_interval: '3s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '15s',
  client_connection_check_interval: '5s',
  idle_in_transaction_session_timeout: '8s',
}

/** TCP keepalive: the idle time after which this side probes the server, in milliseconds; the kernel gives up ten seconds later. */
const PROBE_AFTER = 5000

export type StartupOptions = {
  /** postgres://role:password@host/database, or with a socket's folder as ?host=. */
  url: string
  /** Settings of the session, which precede those of every session. */
  settings?: Readonly<Record<string, string>>
}

const optionsOf = (settings: Readonly<Record<string, string>>) => Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)

/** The URL's parameters that a session sets itself, and the URL without them: pg would prefer those of the URL. */
const takeOwn = (url: string) => {
  if (!URL.canParse(url)) return { url, options: '', name: '' }
  const parsed = new URL(url)
  const { searchParams } = parsed
  const own = { options: searchParams.get('options') ?? '', name: searchParams.get('application_name') ?? '' }
  if (!own.options && !own.name) return { url, ...own }
  searchParams.delete('options')
  searchParams.delete('application_name')
  return { url: parsed.href, ...own }
}

/** pg's configuration of a session at a URL: its server settings, with the URL's own `options` last. */
export const startupOf = ({ url, settings = {} }: StartupOptions): pg.ClientConfig & { connectionString: string } => {
  const own = takeOwn(url)
  return {
    connectionString: own.url,
    application_name: own.name || 'rookery',
    options: [...optionsOf({ ...ASKED, ...settings }), own.options].join(' ').trim(),
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER,
  }
}

/** Postgres truncates names to 63 bytes and replaces all but printable ASCII. */
const keptName = (name: string) => name.replaceAll(/[^ -~]/g, '?').slice(0, 40)

/** An application_name that no other session has, on any server. */
export const uniqueName = (name: string): string => `${keptName(name)}-${randomBytes(6).toString('hex')}`
