import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { prepareDatabase } from '@rookery/database'
import { PROGRAM_ENVIRONMENT, startTestPostgres } from '@rookery/test-stores'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

// Starts and restarts real processes.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const ROOT = join(import.meta.dirname, '../../..')
const PROGRAMS = globSync('services/*/src/migrate.ts', { cwd: ROOT }).map((file) => [file.split('/')[1]!, join(ROOT, file)] as const)
/** An address where nothing listens: schemas are migrated before anything else. */
const NOWHERE = '127.0.0.1:1'

const harness = async (service: string) => {
  const database = await startTestPostgres().createDatabase()
  onTestFinished(() => database.drop())
  await prepareDatabase(database.url('postgres'), [{ name: service }])
  const others = Object.fromEntries(PROGRAMS.map(([name]) => [`${name.toUpperCase()}_ADDRESS`, NOWHERE]))
  const own = { [`${service.toUpperCase()}_DATABASE_URL`]: database.url(service) }
  return {
    database,
    environment: {
      ...PROGRAM_ENVIRONMENT,
      ...others,
      ...own,
      BASE_URL: 'http://localhost:3000',
      REDIS_URL: `redis://${NOWHERE}`,
      KAFKA_BROKERS: NOWHERE,
    },
  }
}

const tablesOf = async (url: string, schema: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select tablename from pg_tables where schemaname = $1', [schema])
  await client.end()
  return rows.map(({ tablename }) => tablename as string)
}

describe('the program that brings a schema up to date', () => {
  it.each(PROGRAMS)('needs the database alone: %s', async (service, file) => {
    const { database, environment } = await harness(service)
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: environment, timeout: 60_000 })
    expect(stdout).toContain('the schema is up to date')
    expect(await tablesOf(database.url(service), service)).toContain('outbox')
  })

  it('says in a sentence that a newer version has taken away what this one needs', async () => {
    const [service, file] = PROGRAMS.find(([name]) => name === 'federation')!
    const { database, environment } = await harness(service)
    const run = (...words: string[]) => promisify(execFile)(process.execPath, [file, ...words], { env: environment, timeout: 60_000 })
    await run('expand')
    await run('contract')
    const client = new pg.Client({ connectionString: database.url(service) })
    await client.connect()
    const row = `('9999-newer', now()::text, 'contract', '9998-without')`
    await client.query(`insert into federation_migration (name, timestamp, phase, after) values ${row}`)
    await client.end()
    const refusal = await run('expand').catch((error) => error)
    expect(refusal).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The schema of federation is that of a newer version.*\n$/) })
    const mistake = await run('sideways').catch((error) => error)
    expect(mistake).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('sideways is not a migration phase: use expand or contract'),
    })
  }, 60_000)

  it('fails when a setting is missing', async () => {
    const [, file] = PROGRAMS[0]!
    await expect(promisify(execFile)(process.execPath, [file], { env: {} })).rejects.toMatchObject({ code: 1 })
  })
})
