import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** Numbers for apps, in the order they come: the API has places where an app is a small integer. */
export const appNumbers: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`create sequence app_number`.execute(db)
    await sql`alter table app add column number bigint`.execute(db)
    await sql`alter table app alter column number set default nextval('app_number')`.execute(db)
  },
}
