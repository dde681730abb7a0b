import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** Answers: which emojis has this host, whatever its port, and which have those below it? */
export const up = (db: Kysely<unknown>): Promise<void> =>
  createIndexConcurrently(db, { name: 'remote_emoji_host', on: "remote_emoji (reverse(split_part(domain, ':', 1)) text_pattern_ops)" })
