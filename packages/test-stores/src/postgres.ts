import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** A database of a test. */
export type TestDatabase = {
  readonly name: string
  /** Its URL for a role; the administrator's is postgres. */
  url(role: string): string
  /** Deletes it and closes its connections. */
  drop(): Promise<void>
}

/** A template that databases are copied from. */
type Template = { readonly name: string }

/** The Postgres that all tests of a run share. */
type TestPostgres = {
  /** Creates an empty database, or a copy of a template. */
  createDatabase(template?: Template): Promise<TestDatabase>
  /** The template of that name, built once per run; `build` must close its connections. */
  templateDatabase(name: string, build: (database: TestDatabase) => Promise<void>): Promise<Template>
}

/** Templates are built one at a time: they create roles, which belong to the whole server. */
const BUILD_LOCK = 815

const withAdministrator = async <Result>(url: (role: string, database: string) => string, work: (client: pg.Client) => Promise<Result>) => {
  const client = new pg.Client({ connectionString: url('postgres', 'postgres') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The run's Postgres, which global-setup.ts started. */
export const startTestPostgres = (): TestPostgres => {
  const pattern = inject('postgresUrl')
  const url = (role: string, database: string) => pattern.replace('ROLE', role).replace('DATABASE', database)
  const databaseOf = (name: string): TestDatabase => ({
    name,
    url: (role) => url(role, name),
    drop: () => withAdministrator(url, async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  })
  const create = async (client: pg.Client, name: string, template: string) => {
    await client.query(`create database ${name} template ${template} strategy file_copy`)
  }
  return {
    createDatabase: (template) =>
      withAdministrator(url, async (client) => {
        const name = `test_${randomBytes(8).toString('hex')}`
        await create(client, name, template?.name ?? 'template1')
        return databaseOf(name)
      }),
    templateDatabase: (label, build) =>
      withAdministrator(url, async (client) => {
        const name = `template_${label.replaceAll(/\W/g, '_')}`
        await client.query('select pg_advisory_lock($1)', [BUILD_LOCK])
        if ((await client.query('select 1 from pg_database where datname = $1', [name])).rowCount) return { name }
        await create(client, `${name}_unfinished`, 'template1')
        try {
          await build(databaseOf(`${name}_unfinished`))
          await client.query(`alter database ${name}_unfinished rename to ${name}`)
        } catch (error) {
          await databaseOf(`${name}_unfinished`).drop()
          throw error
        }
        return { name }
      }),
  }
}
