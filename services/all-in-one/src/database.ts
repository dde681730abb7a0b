import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { openSession } from '@rookery/database'
import { startPostgres } from '@rookery/embedded-postgres'
import type { Lifecycle, Logger } from '@rookery/runtime'
import type { AllInOneConfig } from './config.ts'

const DATABASE = 'rookery'

const makeDatabase = async (administratorUrl: string) => {
  const client = await openSession({ url: administratorUrl, limits: { statement: Number.POSITIVE_INFINITY } })
  try {
    const exists = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (!exists.rowCount) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

/** A role's password, derived from the administrator's, which it does not reveal. */
const passwordOf = (role: string, administratorPassword: string) =>
  createHmac('sha256', administratorPassword).update(role).digest('base64url')

/** An external Postgres. Roles have passwords there only if the administrator has one. */
const outerUrl = (administratorUrl: string) => (role: string) => {
  const url = new URL(administratorUrl)
  if (role === 'postgres') return url.href
  url.username = role
  if (url.password) url.password = passwordOf(role, decodeURIComponent(url.password))
  return url.href
}

/** The database URL for each role: of the embedded Postgres, or of a configured one. */
export const openDatabaseServer = async (
  config: Pick<AllInOneConfig, 'databaseUrl' | 'dataDir'>,
  lifecycle: Lifecycle,
  log: Logger,
): Promise<(role: string) => string> => {
  if (config.databaseUrl) return outerUrl(config.databaseUrl.reveal())
  const postgres = await startPostgres({
    dataDir: join(config.dataDir, 'postgres'),
    onCrash: (reason) => log.error({ reason }, 'Postgres exited, restarting'),
  })
  lifecycle.onClose('postgres', () => postgres.stop())
  await makeDatabase(postgres.url('postgres', 'postgres'))
  return (role) => postgres.url(role, DATABASE)
}
