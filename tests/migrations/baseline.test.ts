import { readFile } from 'node:fs/promises'
import { startTestPostgres } from '@rookery/test-stores'
import { afterEach, describe, expect, test } from 'vitest'
import { type Database, MigrationRefused, migrate, openDatabase, prepareDatabase } from '../../packages/database/src/index.ts'
import { eventMigrations } from '../../packages/events/src/index.ts'
import { DECLARED } from '../chart/declared.ts'
import { describeSchema } from './describe-schema.ts'

// before-baseline/ has each schema as the steps made it that the baseline replaced, with the steps it has had: what a data folder of the
// version before holds.

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const SETS = Object.entries(DECLARED).flatMap(([name, { schema }]) => (schema ? [[name, schema.migrations] as const] : []))

const openSchema = async (name: string): Promise<Database<unknown>> => {
  const own = await startTestPostgres().createDatabase()
  closing.push(() => own.drop())
  await prepareDatabase(own.url('postgres'), [{ name }])
  const database = openDatabase<unknown>({ url: own.url(name), connections: 1 })
  closing.push(() => database.close())
  await migrate(database.db, eventMigrations)
  return database
}

/** A schema as the version before the baseline left it. */
const openBefore = async (name: string): Promise<Database<unknown>> => {
  const database = await openSchema(name)
  await database.pool.query(await readFile(new URL(`before-baseline/${name}.sql`, import.meta.url), 'utf8'))
  return database
}

const stepsOf = async ({ pool }: Database<unknown>, name: string) =>
  (await pool.query<{ name: string }>(`select name from ${name}_migration order by name`)).rows.map((step) => step.name)

describe.each(SETS)('the schema of %s', (name, set) => {
  test('goes on from the last step before the baseline, and is then the one that a new database has', async () => {
    const [upgraded, fresh] = [await openBefore(name), await openSchema(name)]
    for (const { db } of [upgraded, fresh]) expect(await migrate(db, set)).toEqual([])
    expect(await describeSchema(upgraded.pool)).toEqual(await describeSchema(fresh.pool))
    expect(await stepsOf(upgraded, name)).toEqual(await stepsOf(fresh, name))
  })

  test('is refused when it is older, with the step that a version between must have, and stays as it is', async () => {
    const old = await openBefore(name)
    const last = set.baseline!.replaces.at(-1)!
    await old.pool.query(`delete from ${name}_migration where name = $1`, [last])
    const before = await describeSchema(old.pool)
    const refused = await migrate(old.db, set).catch((error) => error)
    expect(refused).toBeInstanceOf(MigrationRefused)
    expect(refused.message).toBe(
      `The schema of ${name} is too old for this version, which no longer has the step ${last}. Start first a version that has the step ${last}, and then this one.`,
    )
    expect(await describeSchema(old.pool)).toEqual(before)
  })
})

test('rows from before the baseline are there after it', async () => {
  const { db, pool } = await openBefore('statuses')
  await pool.query(`insert into tag (name, display, created_at) values ('tea', 'Tea', now())`)
  await migrate(db, DECLARED.statuses.schema!.migrations)
  expect((await pool.query('select name, display, id from tag')).rows).toEqual([{ name: 'tea', display: 'Tea', id: '1' }])
})

test('what was used in the last days before there were trends is to be counted', async () => {
  const { db, pool } = await openBefore('statuses')
  const HOUR = 3_600_000
  const [now, monthAgo] = [Date.now() - HOUR, Date.now() - 30 * 24 * HOUR]
  const idOf = (milliseconds: number) => String(BigInt(milliseconds) << 16n)
  for (const [author, at] of [
    [1, now],
    [2, monthAgo],
  ])
    await pool.query(
      `with head as (
         insert into status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)
         values ($1, $2, 1, true, false, false, $1) returning id, author_id)
       insert into status_tag (name, status_id, author_id, is_open) select 'tea', id, author_id, true from head`,
      [idOf(at!), author],
    )
  await migrate(db, DECLARED.statuses.schema!.migrations)
  const { rows } = await pool.query('select account_id, day from pending_use')
  expect(rows).toEqual([{ account_id: '1', day: Math.floor(now / (24 * HOUR)) }])
})
