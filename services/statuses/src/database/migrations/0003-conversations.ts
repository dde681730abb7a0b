import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Conversations: direct statuses, by thread and by who takes part, one row for each person taking part. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // Answers: which thread is this direct status of? Kept, so that a reply need not walk the chain above its parent.
  await run(`
    create table direct_status (
      status_id bigint primary key references status_head (id) on delete cascade,
      thread_id bigint not null
    )`)

  // participants: everybody taking part, the owner too, in order of their ids. last_status_id outlives its status when there is no earlier
  // one: the conversation keeps its place.
  await run(`
    create table conversation (
      id bigint generated always as identity primary key,
      owner_id bigint not null references account (id) on delete cascade,
      thread_id bigint not null,
      participants bigint[] not null,
      last_status_id bigint not null,
      is_unread boolean not null,
      is_hidden boolean not null default false
    )`)
  // Answers: has this person a conversation of this thread with these people already?
  // A status has room for some 170 mentions, an entry of the index for twice as many ids.
  await run('create unique index conversation_once on conversation (owner_id, thread_id, participants)')
  // Answers: which conversations has this person, latest status first? And: which of them end with this status?
  await run('create index conversation_owner on conversation (owner_id, last_status_id desc) where not is_hidden')

  // Answers: what was said in this conversation before, as far as its owner was to hear of it?
  await run(`
    create table conversation_status (
      conversation_id bigint not null references conversation (id) on delete cascade,
      status_id bigint not null references status_head (id) on delete cascade,
      primary key (conversation_id, status_id)
    )`)
  // Answers: which conversations lose this status when it goes?
  await run('create index conversation_status_status on conversation_status (status_id)')
}
