import type { Db } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'

/** The recorded base URL; undefined before the first start. */
export const readServerAddress = async (db: Db<StatusesTables>): Promise<string | undefined> =>
  (await db.selectFrom('serverAddress').select('baseUrl').executeTakeFirst())?.baseUrl

/** The number of local accounts, including suspended ones. */
export const countPeople = async (db: Db<StatusesTables>): Promise<number> => {
  const { rows } = await sql<{ people: number }>`select count(*)::int people from account where domain is null`.execute(db)
  return rows[0]!.people
}

/** Records the base URL. */
export const recordServerAddress = async (db: Db<StatusesTables>, baseUrl: string): Promise<void> => {
  await db
    .insertInto('serverAddress')
    .values({ baseUrl })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ baseUrl }))
    .execute()
}
