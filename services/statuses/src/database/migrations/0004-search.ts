import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What searches read. The extension stands in the schema `extensions`, where the administrator put it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // The words of a status: its text, its warning and what its files show. No language is assumed.
  await run(`
    alter table status add column search tsvector not null generated always as (
      to_tsvector('simple'::regconfig, spoiler_text || ' ' || text)
      || to_tsvector('simple'::regconfig, jsonb_path_query_array(attachments, '$[*].description'))) stored`)
  // Answers: which statuses hold these words?
  await run('create index status_search on status using gin (search)')

  // Answers: whose handle or name holds this text?
  await run(`
    create index account_search on account
    using gin ((' ' || lower(username) || ' ' || lower(display_name)) extensions.gin_trgm_ops)`)

  // Answers: which tags begin like this?
  await run('create index tag_prefix on tag (name text_pattern_ops)')
}
