import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Threads: the status that everything said in one began with; and who wants to hear no more of one. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // The id outlives the status it is of: what answered a deleted status stays one thread. A boost is in the thread of what it boosts.
  await run('alter table status_head add column thread_id bigint')
  await run(`
    with recursive thread (id, thread_id) as (
      select h.id, coalesce(d.thread_id, h.id)
      from status_head h join status s on s.id = h.id left join direct_status d on d.status_id = h.id
      where h.reblog_of_id is null and (d.status_id is not null or s.in_reply_to_id is null
        or not exists (select 1 from status_head where id = s.in_reply_to_id))
      union all
      select s.id, t.thread_id from thread t join status s on s.in_reply_to_id = t.id
      where not exists (select 1 from direct_status where status_id = s.id))
    update status_head set thread_id = thread.thread_id from thread where thread.id = status_head.id`)
  await run(`
    update status_head boost set thread_id = original.thread_id from status_head original
    where original.id = boost.reblog_of_id`)
  await run('alter table status_head alter column thread_id set not null')
  await run('drop table direct_status')

  // Answers, by its key: does this person want to hear of this thread?
  await run(`
    create table thread_mute (
      account_id bigint not null references account (id) on delete cascade,
      thread_id bigint not null,
      primary key (account_id, thread_id)
    )`)
}
