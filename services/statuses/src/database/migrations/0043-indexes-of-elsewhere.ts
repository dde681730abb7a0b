import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: whose handle on this server is this? Which handles are taken?
  await createIndexConcurrently(db, {
    name: 'account_local_username',
    on: 'account (lower(username)) where domain is null',
    isUnique: true,
  })
  // Answers: whose handle on another server is this?
  await createIndexConcurrently(db, {
    name: 'account_remote_handle',
    on: 'account (lower(username), domain) where domain is not null',
    isUnique: true,
  })
  // Answers: whose actor is this?
  await createIndexConcurrently(db, { name: 'account_uri', on: 'account (uri) where uri is not null', isUnique: true })
  // Answers: who is of this domain, or of one below it? A port is no part of it.
  await createIndexConcurrently(db, {
    name: 'account_domain',
    on: "account (reverse(split_part(domain, ':', 1)) text_pattern_ops, id) where domain is not null",
  })
  // Answers: who of this server wants to be found, the last to come or to post first?
  await createIndexConcurrently(db, {
    name: 'account_local_directory_new',
    on: 'account (id desc) where discoverable and is_active and domain is null',
  })
  await createIndexConcurrently(db, {
    name: 'account_local_directory_active',
    on: 'account (last_status_on desc nulls last, id desc) where discoverable and is_active and domain is null',
  })
  // Answers: which status of another server has this uri?
  await createIndexConcurrently(db, { name: 'status_uri', on: 'status (uri) where uri is not null', isUnique: true })
  // Answers: what is on the public timeline of this server, or of the others, newest first? And with media only?
  await createIndexConcurrently(db, { name: 'status_head_local', on: 'status_head (id desc) where is_listed and is_local' })
  await createIndexConcurrently(db, {
    name: 'status_head_local_media',
    on: 'status_head (id desc) where is_listed and is_local and has_media',
  })
  await createIndexConcurrently(db, { name: 'status_head_remote', on: 'status_head (id desc) where is_listed and not is_local' })
  await createIndexConcurrently(db, {
    name: 'status_head_remote_media',
    on: 'status_head (id desc) where is_listed and not is_local and has_media',
  })
}
