import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** What a token is derived from, together with its app's secret: an app that is authorised again is given the same token. */
export const derivedTokens: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`alter table access_token add column nonce bytea`.execute(db)
  },
}
