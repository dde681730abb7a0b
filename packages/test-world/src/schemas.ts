import { migrate, openDatabase, prepareDatabase } from '@rookery/database'
import { eventMigrations } from '@rookery/events'
import { migrateJobs } from '@rookery/jobs'
import type { ServiceSchema } from '@rookery/runtime'
import type { TestDatabase } from '@rookery/test-stores'
import pg from 'pg'

/** Creates the schemas of services in an empty database, with their roles and jobs, then runs `seed`, a text of SQL. */
export const migrateServices = async (
  database: Pick<TestDatabase, 'url'>,
  schemas: readonly ServiceSchema[],
  seed?: string,
): Promise<void> => {
  await prepareDatabase(
    database.url('postgres'),
    schemas.map(({ name }) => ({ name })),
  )
  for (const { name, migrations } of schemas) {
    const opened = openDatabase({ url: database.url(name) })
    await migrate(opened.db, eventMigrations)
    await migrate(opened.db, migrations)
    await opened.close()
    await migrateJobs(database.url(name), name)
  }
  if (!seed) return
  const administrator = new pg.Client({ connectionString: database.url('postgres') })
  await administrator.connect()
  await administrator.query(seed)
  await administrator.end()
}
