import type { Db } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'

/** The recorded address; undefined before the first start. */
export const readServerAddress = async (db: Db<StatusesTables>): Promise<string | undefined> =>
  (await db.selectFrom('serverAddress').select('baseUrl').executeTakeFirst())?.baseUrl

/** How many people of this server there are, those who are suspended too. */
export const countPeople = async (db: Db<StatusesTables>): Promise<number> => {
  const { rows } = await sql<{ people: number }>`select count(*)::int people from account where domain is null`.execute(db)
  return rows[0]!.people
}

/** Records the address that the server starts with. */
export const recordServerAddress = async (db: Db<StatusesTables>, baseUrl: string): Promise<void> => {
  await db
    .insertInto('serverAddress')
    .values({ baseUrl })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ baseUrl }))
    .execute()
}
