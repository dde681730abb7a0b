import { type Database, migrate, openDatabase, prepareDatabase } from '@rookery/database'
import { startTestPostgres, type TestDatabase } from '@rookery/test-stores'
import { sql } from 'kysely'
import { createOutbox, type EventTables, eventMigrations, type OutboxEvent } from '../src/index.ts'

/** The table that the test consumer writes to; a repeated act shows in it. */
export type Tables = EventTables & { acted: { targetId: string } }

/** A service's schema in a test database. */
export const openSchema = async (): Promise<{ url: string; own: TestDatabase; database: Database<Tables>; close(): Promise<void> }> => {
  const postgres = startTestPostgres()
  const template = await postgres.templateDatabase('events', async (fresh) => {
    await prepareDatabase(fresh.url('postgres'), [{ name: 'events_test' }])
    const database = openDatabase<Tables>({ url: fresh.url('events_test') })
    await migrate(database.db, eventMigrations)
    // No unique index: a second act must show.
    await sql`create table acted (target_id text not null)`.execute(database.db)
    await database.close()
  })
  const own = await postgres.createDatabase(template)
  const url = own.url('events_test')
  const database = openDatabase<Tables>({ url })
  const close = async () => {
    await database.close()
    await own.drop()
  }
  return { url, own, database, close }
}

/** An outbox for topic `a`. */
export const outboxOf = (wake: () => void = () => {}) => createOutbox({ topic: 'a', now: Date.now, wake })

/** An event that ann follows an account; the tests distinguish events by that account. */
export const followed = (targetId: string): OutboxEvent => ({
  key: 'ann',
  event: { $case: 'accountFollowed', value: { accountId: 'ann', targetId } },
})
