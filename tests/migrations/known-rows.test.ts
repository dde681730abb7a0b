import { startTestPostgres } from '@rookery/test-stores'
import { afterEach, describe, expect, it } from 'vitest'
import { type Database, type MigrationSet, migrate, openDatabase, prepareDatabase } from '../../packages/database/src/index.ts'
import { eventMigrations } from '../../packages/events/src/index.ts'
import { DECLARED } from '../chart/declared.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const before = ({ name, steps }: MigrationSet, first: string): MigrationSet => ({
  name,
  steps: Object.fromEntries(Object.entries(steps).filter(([step]) => step < first)),
})

/** A database of statuses as the steps before one leave it, and the rest of the way. */
const openBefore = async (step: string): Promise<{ database: Database<unknown>; migrateFurther(): Promise<void> }> => {
  const { migrations } = DECLARED.statuses.schema!
  const own = await startTestPostgres().createDatabase()
  closing.push(() => own.drop())
  await prepareDatabase(own.url('postgres'), [{ name: 'statuses' }])
  const database = openDatabase<unknown>({ url: own.url('statuses'), connections: 1 })
  closing.push(() => database.close())
  await migrate(database.db, eventMigrations)
  await migrate(database.db, before(migrations, step))
  const migrateFurther = async () => void (await migrate(database.db, migrations))
  return { database, migrateFurther }
}

describe('rows from before a step of statuses', () => {
  it('tags get an id each, also those that old code names while the step runs', async () => {
    const { database, migrateFurther } = await openBefore('0028-tag-ids')
    const name = (from: number, to: number) =>
      database.pool.query(
        `insert into tag (name, display, created_at) select 'tag' || n, 'Tag', now() from generate_series(${from}, ${to}) n`,
      )
    await name(1, 2500)
    await migrateFurther()
    await name(2501, 2600)
    const { rows } = await database.pool.query('select count(*)::int total, count(distinct id)::int ids, min(id)::int lowest from tag')
    expect(rows).toEqual([{ total: 2600, ids: 2600, lowest: 1 }])
  })
})
