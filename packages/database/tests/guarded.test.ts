import { chownSync, copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type EmbeddedPostgres, startPostgres } from '@rookery/embedded-postgres'
import { freePorts, makeAuthority, type TestAuthority, whyNoCertificates } from '@rookery/test-stores'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { awaitDatabase, openDatabase, openSession, prepareDatabase } from '../src/index.ts'

const PASSWORD = 'only-the-birds-know'
const lacking = whyNoCertificates()

describe.skipIf(lacking)(lacking ?? 'a Postgres that lets in over TLS, by password', () => {
  let folder: string
  let ours: TestAuthority
  let theirs: TestAuthority
  let server: EmbeddedPostgres
  let port: number
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'guarded-postgres-'))
    ours = makeAuthority('birds')
    theirs = makeAuthority('crows')
    port = await freePorts(1)
    const flags = ['-c', 'listen_addresses=127.0.0.1', '-p', String(port)]
    server = await startPostgres({ dataDir: join(folder, 'postgres'), isForTests: true, flags })
    await guard()
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    for (const authority of [ours, theirs]) authority.remove()
    rmSync(folder, { recursive: true })
  })

  /** Configures the server's certificate and pg_hba. Postgres needs files that it owns. */
  const guard = async () => {
    const cluster = join(folder, 'postgres', 'data')
    const { uid, gid } = statSync(cluster)
    const { certificate, key } = ours.issue('postgres')
    for (const [from, name] of [
      [certificate, 'server.crt'],
      [key, 'server.key'],
    ] as const) {
      copyFileSync(from, join(cluster, name))
      chownSync(join(cluster, name), uid, gid)
    }
    writeFileSync(join(cluster, 'pg_hba.conf'), 'local all postgres trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n')
    const socket = server.url('postgres', 'postgres').replace(':5432', `:${port}`)
    const client = new pg.Client({ connectionString: socket })
    await client.connect()
    await client.query('alter system set ssl = on')
    await client.query('select pg_reload_conf()')
    await client.end()
    await prepareDatabase(socket, [{ name: 'birds', password: PASSWORD }])
  }

  const urlFor = (rest: string, password = PASSWORD, host = '127.0.0.1') => `postgres://birds:${password}@${host}:${port}/postgres${rest}`
  const verified = (authority: TestAuthority) => `?sslmode=verify-full&sslrootcert=${authority.file}`

  const ask = async (url: string) => {
    const database = openDatabase({ url })
    try {
      const { rows } = await database.pool.query('select ssl, version from pg_stat_ssl where pid = pg_backend_pid()')
      return rows[0]
    } finally {
      await database.close()
    }
  }

  test('lets in who knows the password, and is known by its authority', async () => {
    expect(await ask(urlFor(verified(ours)))).toMatchObject({ ssl: true, version: 'TLSv1.3' })
    await awaitDatabase(urlFor(verified(ours)), { seconds: 0 })
  })

  test('is asked over TCP to notice within seconds that a client is gone', async () => {
    const session = await openSession({ url: urlFor(verified(ours)) })
    const names = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout']
    const { rows } = await session.query('select setting from unnest($1::text[]) name, current_setting(name) setting', [names])
    expect(rows.map(({ setting }) => setting)).toEqual(['5', '3', '3', '15000'])
    await session.end()
  })

  test.each([
    ['a wrong password', () => urlFor(verified(ours), 'wrong-guess'), /password authentication failed for user "birds"/],
    ['no TLS', () => urlFor('?sslmode=disable'), /no pg_hba.conf entry .* no encryption/],
    ['a server of another authority', () => urlFor(verified(theirs)), /self.signed|unable to (get|verify)/],
    ['a server of none of the usual authorities', () => urlFor('?sslmode=verify-full'), /self.signed|unable to (get|verify)/],
    ['a server by another name', () => urlFor(verified(ours), PASSWORD, '127.1'), /altnames/],
  ])('refuses, or is refused, for %s, and says so without the secret', async (_, url, why) => {
    const error = await ask(url()).catch((refusal: Error) => refusal)
    expect(error).toBeInstanceOf(Error)
    const { message, stack } = error as Error
    expect(message).toMatch(why)
    expect(message + stack + inspect(error)).not.toMatch(/only-the-birds-know|wrong-guess/)
  })
})
