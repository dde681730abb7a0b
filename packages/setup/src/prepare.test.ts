import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { awaitDatabase } from '@rookery/database'
import { startTestPostgres } from '@rookery/test-stores'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { prepare, readSetupConfig } from './index.ts'

const openClient = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Role names and a database of the test's own; roles belong to the whole server. */
const harness = async () => {
  const database = await startTestPostgres().createDatabase()
  onTestFinished(() => database.drop())
  const [first, second] = ['a', 'b'].map((letter) => `${letter}${randomBytes(6).toString('hex')}`) as [string, string]
  const environment = {
    ADMINISTRATOR_DATABASE_URL: database.url('postgres'),
    SERVICES: `${first}, ${second}`,
    [`${first.toUpperCase()}_DATABASE_PASSWORD`]: "it's",
    [`${second.toUpperCase()}_DATABASE_PASSWORD`]: 'other',
  }
  const administrator = await openClient(database.url('postgres'))
  onTestFinished(async () => {
    for (const role of [first, second]) await administrator.query(`drop owned by ${role}; drop role ${role}`)
  })
  return { database, environment, administrator, first, second }
}

it('gives each service a role with a password and a schema that others cannot see, again and again', async () => {
  const { database, environment, administrator, first, second } = await harness()
  await prepare(readSetupConfig(environment))
  await prepare(readSetupConfig(environment))
  const { rows } = await administrator.query(
    'select rolname, rolpassword is not null as locked from pg_authid where rolname = any($1) order by 1',
    [[first, second]],
  )
  expect(rows).toEqual([
    { rolname: first, locked: true },
    { rolname: second, locked: true },
  ])
  const service = await openClient(database.url(first))
  await service.query(`create table ${first}.own (id int)`)
  await expect(service.query(`create table ${second}.other (id int)`)).rejects.toThrow('permission denied')
})

it('names every setting that is missing, and no value', () => {
  const environment = { ADMINISTRATOR_DATABASE_URL: 'postgres://root:hidden@host/x', SERVICES: 'auth,media' }
  const read = () => readSetupConfig(environment)
  expect(read).toThrow('AUTH_DATABASE_PASSWORD is missing')
  expect(read).toThrow('MEDIA_DATABASE_PASSWORD is missing')
  expect(read).not.toThrow('hidden')
})

it('adds to the url what it does not say itself', () => {
  const read = (url: string) =>
    readSetupConfig({
      ADMINISTRATOR_DATABASE_URL: url,
      ADMINISTRATOR_DATABASE_PARAMETERS: 'sslmode=verify-full&sslrootcert=/ca.crt',
      SERVICES: 'auth',
      AUTH_DATABASE_PASSWORD: 'other',
    }).administratorUrl.reveal()
  expect(read('postgres://root:p%20w@host/x')).toBe('postgres://root:p%20w@host/x?sslmode=verify-full&sslrootcert=%2Fca.crt')
  expect(read('postgres://root@host/x?sslmode=disable')).toBe('postgres://root@host/x?sslmode=disable&sslrootcert=%2Fca.crt')
})

it('gives up on a database that never answers, and at once on what waiting cannot mend', async () => {
  await expect(awaitDatabase('postgres://nobody@127.0.0.1:1/x', { seconds: 0 })).rejects.toThrow('ECONNREFUSED')
  const begun = Date.now()
  await expect(awaitDatabase('postgres://nobody@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/missing')).rejects.toThrow('ENOENT')
  expect(Date.now() - begun).toBeLessThan(5000)
})

it('goes on when someone hangs up, as what stands before a starting database does', async () => {
  let connections = 0
  const door = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  onTestFinished(() => void door.close())
  const { port } = door.address() as AddressInfo
  await expect(awaitDatabase(`postgres://nobody@127.0.0.1:${port}/x`, { seconds: 1 })).rejects.toThrow(/terminated|ECONNRESET/)
  expect(connections).toBeGreaterThan(1)
})
