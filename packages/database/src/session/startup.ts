import { randomBytes } from 'node:crypto'
import type pg from 'pg'

/**
 * What every session asks of the server, so that it notices within 15 seconds that the other side has died without a word, and gives back
 * locks and transactions: a client that says nothing is probed over TCP (ignored on a unix socket), data that is not acknowledged ends the
 * session, and so does a client that is gone while a statement runs or that leaves a transaction open. That limit is below the
 * others because it adds up: transactions of a dead client that wait for one lock each hold it for that time, one after the other.
 */
const ASKED = {
  tcp_keepalives_idle: '5s',
  tcp_keepalives_interval: '3s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '15s',
  client_connection_check_interval: '5s',
  idle_in_transaction_session_timeout: '8s',
}

/** The time after which this side probes a server that says nothing, in milliseconds; the kernel gives up ten seconds later. */
const PROBE_AFTER = 5000

export type StartupOptions = {
  /** postgres://role:password@host/database, or with a socket's folder as ?host=. */
  url: string
  /** Settings of the session, by name; they go before those that every session has. */
  settings?: Readonly<Record<string, string>>
}

const optionsOf = (settings: Readonly<Record<string, string>>) => Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)

/** The parameters of a url that a session sets itself, and the url without them: pg would prefer those of the url. */
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

/** How pg opens a session at a url: what it asks of the server, the url's own `options` last. */
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

/** Postgres keeps 63 bytes of a name and replaces what is not printable ASCII. */
const keptName = (name: string) => name.replaceAll(/[^ -~]/g, '?').slice(0, 40)

/** An application_name that no other session has, on any server. */
export const uniqueName = (name: string): string => `${keptName(name)}-${randomBytes(6).toString('hex')}`
