import { Envelope } from '@rookery/contracts/events'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { Answer, Person, World } from './index.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

/** The URLs of a Link header by relation. */
export const linksOf = ({ headers }: Answer): Partial<Record<string, string>> =>
  Object.fromEntries(
    [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, address, relation]) => [relation, address]),
  )

/** The pages of a list from a URL on, following a relation of the Link header until it ends or a page is empty. */
export const walk = async (reader: Pick<Person | World, 'get'>, path: string, relation: 'next' | 'prev' = 'next'): Promise<Json[][]> => {
  const pages: Json[][] = []
  for (let address: string | undefined = path; address; ) {
    const answer: Answer = await reader.get(address)
    if (answer.status !== 200) throw new Error(`${address}: ${answer.status} ${answer.text}`)
    if (answer.body.length === 0) break
    pages.push(answer.body)
    address = linksOf(answer)[relation]
  }
  return pages
}

/** The ids of a list, in order. */
export const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id)

/** Queries the world's database, for state that no act shows, and to build state that no act can. */
export const query = (world: World, text: string, values: unknown[] = []): Promise<Json[]> => world.query(text, values)

/**
 * Copies the events that statuses appends from now on to a table of their own, since the outbox deletes published ones. Returns a function
 * that reads those about a person, in order.
 */
export const keepEvents = async (world: World): Promise<(person: Person) => Promise<Json[]>> => {
  await query(world, 'create table kept_fact (like statuses.outbox)')
  await query(
    world,
    `create function keep_fact() returns trigger language plpgsql security definer as
     $$ begin insert into public.kept_fact select new.*; return null; end $$`,
  )
  await query(world, 'create trigger keep_fact after insert on statuses.outbox for each row execute function keep_fact()')
  return async ({ id }) => {
    const rows = await query(world, 'select envelope from kept_fact where key = $1 order by id', [id])
    return rows.map(({ envelope }) => Envelope.decode(envelope).fact)
  }
}

/** The number of deadlocks so far. A connection reports its own when it closes, so those of the services are closed first. */
export const deadlocksOf = async (world: World): Promise<number> => {
  await query(
    world,
    'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const [row] = await query(world, 'select deadlocks::int from pg_stat_database where datname = current_database()')
  return row.deadlocks
}

/** Runs statements in a transaction that holds their locks until it ends. */
export const holding = async (world: World): Promise<{ query(text: string, values?: unknown[]): Promise<void>; end(): Promise<void> }> => {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  await client.query('begin')
  // Also when the test fails earlier: others would wait for the lock.
  onTestFinished(() => client.end())
  return {
    query: async (text, values = []) => void (await client.query(text, values)),
    end: async () => {
      await client.query('commit')
      await client.end()
    },
  }
}

/** Resolves when a statement of a service waits for a lock. */
export const untilSomeoneWaits = async (world: World, service = 'statuses'): Promise<void> => {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and usename = $1 and wait_event_type = 'Lock'"
  while ((await query(world, waiting, [service])).length === 0);
}

/** The stored card of a page that has nothing but a title. */
export const STORED_CARD = {
  ...{ type: 'link', title: 'tea', description: '', language: '', author_name: '', author_url: '', provider_name: '', provider_url: '' },
  ...{ html: '', width: 0, height: 0, image_url: '', image_description: '', blurhash: '', published_at: null },
}

/** Runs a recurring job of a service now. */
export const runJob = async (world: World, name: string, service = 'statuses'): Promise<void> => {
  await query(world, `select ${service}_jobs.add_job($1)`, [name])
  await world.advance(0)
}

let calls = 0

/** Inserts posts of 400 days ago, one a minute, as rows. Returns their ids, the newest first. */
export const saidLongAgo = async (world: World, by: Person, count: number, daysAgo = 400): Promise<string[]> => {
  const start = Date.now() - daysAgo * 86_400_000
  // Posts of several people may be inserted in one millisecond.
  const own = BigInt(calls++ & 0xffff)
  const ids = Array.from({ length: count }, (_, index) => String((BigInt(start + index * 60_000) << 16n) + own))
  await query(
    world,
    `with head as (insert into statuses.status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)
       select id, $2, 1, true, false, false, id from unnest($1::bigint[]) id returning id)
     insert into statuses.status (id, author_id, text, spoiler_text, sensitive, content, created_at)
       select id, $2, 'long ago', '', false, '<p>long ago</p>', now() from head`,
    [ids, by.id],
  )
  return ids.reverse()
}
