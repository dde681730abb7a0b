import { startTestPostgres, type TestDatabase } from '@rookery/test-stores'
import { sql } from 'kysely'
import { type Database, openDatabase, prepareDatabase } from '../src/index.ts'

export type Tables = { note: { id: string; text: string } }

/** A database with two services' roles; `one` has a table of ten notes. */
export const openSchema = async (): Promise<{
  own: TestDatabase
  database: Database<Tables>
  statements: string[]
  close(): Promise<void>
}> => {
  const postgres = startTestPostgres()
  const template = await postgres.templateDatabase('database', async (fresh) => {
    await prepareDatabase(fresh.url('postgres'), [{ name: 'one' }, { name: 'other' }])
    const database = openDatabase<Tables>({ url: fresh.url('one') })
    await sql`create table note (id bigint primary key, text text not null unique)`.execute(database.db)
    const notes = Array.from({ length: 10 }, (_, index) => ({ id: String(index + 1), text: `note ${index + 1}` }))
    await database.db.insertInto('note').values(notes).execute()
    await database.close()
  })
  const own = await postgres.createDatabase(template)
  const statements: string[] = []
  const database = openDatabase<Tables>({ url: own.url('one'), onStatement: (text) => statements.push(text) })
  const close = async () => {
    await database.close()
    await own.drop()
  }
  return { own, database, statements, close }
}
