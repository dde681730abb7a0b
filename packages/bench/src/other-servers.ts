import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import type { Harness } from './harness.ts'
import { post } from './post.ts'
import { readHomes } from './resumption.ts'
import { accountIdOf, numbers, tokenOf } from './seed.ts'
import { quantile } from './streams.ts'
import type { Line } from './table.ts'

/** The number of stand-ins and of their people, and the server they talk to. */
export type StandIns = { servers: number; people: number; origin: string }
/** Commands; answered with how many activities were refused, and how many of a type were received. */
export type Command = { what: 'send'; type: string; object: string; count: number } | { what: 'count'; type: string }

const SERVERS = 500
const FOLLOWERS = 1000
/** Copies of each follower, inserted as rows. */
const COPIES = 9
const LIKES = 1000
const POSTS = 5
const TIMEOUT = 600_000
/** An author without earlier followers. */
const AUTHOR = numbers[0]!

const openServers = async (origin: string) => {
  const workerData: StandIns = { servers: SERVERS, people: FOLLOWERS, origin }
  const worker = new Worker(new URL('./other-servers-process.ts', import.meta.url), { workerData })
  await once(worker, 'message')
  const ask = async (command: Command): Promise<number> => {
    const answered = once(worker, 'message')
    worker.postMessage(command)
    return (await answered)[0]
  }
  return {
    send: (type: string, object: string, count: number) => ask({ what: 'send', type, object, count }),
    /** How many activities of a type were delivered so far. */
    delivered: (type: string) => ask({ what: 'count', type }),
    close: () => worker.terminate(),
  }
}

/** Polls until the count is reached. @throws Error after ten minutes */
const until = async (count: () => Promise<number>, wanted: number, everyMilliseconds: number): Promise<void> => {
  const end = performance.now() + TIMEOUT
  for (let there = await count(); there < wanted; there = await count()) {
    if (performance.now() > end) throw new Error(`${there} of ${wanted} came`)
    await pause(everyMilliseconds)
  }
}

const perSecond = (count: number, since: number) => `${Math.round((count * 1000) / (performance.now() - since))}/s`

/** Measures incoming activities: how many are accepted per second, and how many are processed per second until `done` reaches the count. */
const measureInbox = async (what: string, count: number, send: () => Promise<number>, done: () => Promise<number>): Promise<Line> => {
  const before = await done()
  const begun = performance.now()
  const refused = await send()
  const accepted = perSecond(count, begun)
  await until(done, before + count - refused, 20)
  return { what, perSecond: perSecond(count, begun), remark: `accepted at ${accepted}${refused ? `, ${refused} refused` : ''}` }
}

/** The writable columns of a table. */
const columnsOf = async (client: pg.Client, schema: string, table: string): Promise<string> => {
  const { rows } = await client.query(
    `select string_agg(quote_ident(column_name), ', ') columns from information_schema.columns
     where table_schema = $1 and table_name = $2 and is_generated = 'NEVER' and is_identity = 'NO'`,
    [schema, table],
  )
  return rows[0].columns
}

/** Inserts more followers on the same servers as rows, since the cost of a follow is already measured. */
const copyFollowers = async (client: pg.Client, targetId: string): Promise<void> => {
  /** Copies the rows of a table that belong to followers, with these columns changed. */
  const copy = async (schema: string, table: string, account: string, changed: string) => {
    const columns = await columnsOf(client, schema, table)
    await client.query(
      `with copies as materialized (
         select f.account_id old_id, 8000000000000000 + row_number() over (order by f.account_id, n) new_id
         from statuses.follow f cross join generate_series(1, ${COPIES}) n where f.target_id = ${targetId} and f.account_id < 8000000000000000)
       insert into ${schema}.${table} (${columns})
       select ${columns} from (
         select (jsonb_populate_record(o, jsonb_build_object(${changed}))).*
         from copies join ${schema}.${table} o on o.${account} = copies.old_id ${table === 'follow' ? `where o.target_id = ${targetId}` : ''}) made`,
    )
  }
  await client.query('set session_replication_role = replica')
  await copy('statuses', 'account', 'id', `'id', new_id, 'username', username || new_id, 'uri', uri || new_id`)
  await copy('federation', 'remote_actor', 'account_id', `'account_id', new_id, 'uri', uri || new_id, 'key_id', key_id || new_id`)
  await copy('statuses', 'follow', 'account_id', `'account_id', new_id`)
  await client.query('reset session_replication_role; analyze statuses.follow, statuses.account, federation.remote_actor')
}

/** Measures other servers: their activities, and deliveries to them, while homes are read. */
export const measureOtherServers = async ({ origin, client }: Harness): Promise<Line[]> => {
  const elsewhere = await openServers(origin)
  const number = async (text: string, values: unknown[]) => Number((await client.query(text, values)).rows[0].count)
  const author = accountIdOf(AUTHOR)
  try {
    const follows = await measureInbox(
      `${FOLLOWERS} people of ${SERVERS} servers, all unknown, follow someone`,
      FOLLOWERS,
      () => elsewhere.send('Follow', `${origin}/users/person${AUTHOR}`, FOLLOWERS),
      () => number('select count(*) from statuses.follow where target_id = $1', [author]),
    )
    await until(() => elsewhere.delivered('Accept'), FOLLOWERS, 100)
    await copyFollowers(client, author)
    const liked = await post(origin, tokenOf(AUTHOR), 'a good thought')
    await until(() => elsewhere.delivered('Create'), SERVERS, 100)
    const likes = await measureInbox(
      `${LIKES} of them favourite a status`,
      LIKES,
      () => elsewhere.send('Like', `${origin}/users/person${AUTHOR}/statuses/${liked}`, LIKES),
      () => number('select count(*) from statuses.favourite where status_id = $1', [liked]),
    )
    const times: number[] = []
    const stopReading = readHomes(origin)
    for (let round = 1; round <= POSTS; round++) {
      const begun = performance.now()
      await post(origin, tokenOf(AUTHOR), `to everyone ${round}`)
      await until(() => elsewhere.delivered('Create'), (round + 1) * SERVERS, 5)
      times.push(performance.now() - begun)
    }
    times.sort((a, b) => a - b)
    const homes = await stopReading()
    return [
      follows,
      likes,
      {
        what: `a post until ${SERVERS} servers of ${FOLLOWERS * (1 + COPIES)} followers have it`,
        p50: quantile(times, 0.5),
        p99: times.at(-1)!,
      },
      { what: 'home timeline of 20 meanwhile, one after the other', p50: quantile(homes, 0.5), p99: quantile(homes, 0.99) },
    ]
  } finally {
    await elsewhere.close()
  }
}
