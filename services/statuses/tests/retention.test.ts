import { World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
  await world.person('mara')
  // What each statement deletes, of whichever table.
  await query(world, 'create table public.forgotten (name text, count int)')
  await query(
    world,
    `create function public.note_forgotten() returns trigger language plpgsql security definer as
     $$ begin insert into public.forgotten select tg_table_schema || '.' || tg_table_name, count(*) from gone having count(*) > 0; return null; end $$`,
  )
})
afterAll(() => world.close())

const OLD = `now() - interval '400 days'`
const NEW = 'now()'

/** Tables that grow with each request or event: the job that forgets, and a row of number `n` of a moment. */
const TABLES: Record<string, { job: string; row: (at: string) => string }> = {
  'statuses.idempotency_key': {
    job: 'forget-idempotency-keys',
    row: (at) => `(account_id, key, status_id, created_at) select 1, 'k' || n, n, ${at}`,
  },
  'statuses.completed_step': { job: 'forget-idempotency-keys', row: (at) => `(reservation, step, created_at) select 'r' || n, 's', ${at}` },
  'statuses.preview_card': {
    job: 'tend-cards',
    row: (at) => `(digest, url, round, asked_at, due_at) select 'd' || n, 'https://page.example/' || n, 1, ${at}, ${at}`,
  },
  'media.completed_step': { job: 'reap-attachments', row: (at) => `(reservation, step, created_at) select 'r' || n, 's', ${at}` },
  'media.ended_subject': { job: 'reap-attachments', row: (at) => `(id, ended_at) select n, ${at}` },
  'auth.idempotent_request': {
    job: 'forget-expired',
    row: (at) => `(request, content, id, attempt, created_at, reserved_until) select int4send(n), '', n::text, '', ${at}, ${at}`,
  },
  'auth.completed_step': { job: 'forget-expired', row: (at) => `(reservation, step, created_at) select 'r' || n, 's', ${at}` },
  'auth.invite': {
    job: 'forget-expired',
    row: (at) =>
      `(id, code, account_id, good_until, autofollow, created_at) select n, 'c' || n, (select max(account_id) from auth.login), ${at}, false, ${at}`,
  },
  'auth.oidc_artifact': {
    job: 'forget-expired',
    row: (at) => `(model, digest, payload, expires_at) select 'Interaction', int4send(n), '{}', ${at} + interval '1 day'`,
  },
  'federation.received_activity': {
    job: 'prune-federation',
    row: (at) =>
      `(id, actor_uri, inbox_of, body, received_at, done_at) select 'https://there.example/' || n, 'https://there.example/a', '', '{}', ${at}, ${at}`,
  },
  'federation.outbound_activity': {
    job: 'prune-federation',
    row: (at) => `(id, sender_id, payload, created_at) select 'https://here.example/' || n, 1, '', ${at}`,
  },
}

for (const [table, { job, row }] of Object.entries(TABLES)) {
  test(`${table} is forgotten a thousand rows at a time, but for what is new`, async () => {
    const [service] = table.split('.')
    await query(
      world,
      `create trigger noted after delete on ${table} referencing old table as gone for each statement execute function public.note_forgotten()`,
    )
    await query(world, `insert into ${table} ${row(OLD)} from generate_series(1, 2500) n`)
    await query(world, `insert into ${table} ${row(NEW)} from generate_series(2501, 2501) n`)
    await query(world, `select ${service}_jobs.add_job($1)`, [job])
    await world.advance(0)
    const [forgotten] = await query(world, 'select sum(count)::int, max(count) <= 1000 is_bounded from public.forgotten where name = $1', [
      table,
    ])
    expect(forgotten).toEqual({ sum: 2500, is_bounded: true })
    const [left] = await query(world, `select count(*)::int from ${table}`)
    expect(left).toEqual({ count: 1 })
  })
}
