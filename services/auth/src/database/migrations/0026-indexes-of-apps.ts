import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** Apps as staff list and remove them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: which tokens does this app hold, and how many of them are good?
  await createIndexConcurrently(db, { name: 'access_token_app', on: 'access_token (app_id, revoked_at)' })
  // Answers: which codes and grants were given to this app?
  await createIndexConcurrently(db, {
    name: 'oidc_artifact_client',
    on: `oidc_artifact ((payload ->> 'clientId')) where payload ->> 'clientId' is not null`,
  })
  // Answers: which apps have this in their name or website?
  await createIndexConcurrently(db, {
    name: 'app_text',
    on: `app using gin (lower(name || ' ' || website) extensions.gin_trgm_ops)`,
  })
}
