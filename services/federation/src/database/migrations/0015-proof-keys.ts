import { createIndexConcurrently } from '@rookery/database'
import { type Kysely, sql } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** The Ed25519 key of an actor who has an RSA key besides (FEP-521a); null for none, or not read yet. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table remote_actor
      add column if not exists proof_key_id text,
      add column if not exists proof_public_key_pem text`.execute(db)
  // Answers: whose key is this?
  await createIndexConcurrently(db, { name: 'remote_actor_proof_key', on: 'remote_actor (proof_key_id) where proof_key_id is not null' })
}
