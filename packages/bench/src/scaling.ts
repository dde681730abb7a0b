import { setTimeout as pause } from 'node:timers/promises'
import type { Options } from './config.ts'
import { type Harness, openHarness } from './harness.ts'
import { post } from './post.ts'
import { measure, requestsOf } from './requests.ts'
import { fitOf, followersInTime, type Measured, NETWORK, postsPerPage, regionOf, secondsToReach } from './scaling-model.ts'
import { accountIdOf, tokenOf } from './seed.ts'

/** Where the ids of people begin who only follow. */
const FIRST = 8_500_000_000_000_000

/** Authors by the number of their followers, and how often each posts. None of them is among the viewers. */
const AUTHORS = [
  { number: 301, followers: 0, posts: 100 },
  { number: 302, followers: 1000, posts: 50 },
  { number: 303, followers: 10_000, posts: 15 },
  { number: 304, followers: 100_000, posts: 4 },
  { number: 305, followers: 300_000, posts: 2 },
] as const
const CROWD = 300_000

const seedFollowers = async ({ client }: Harness) => {
  await client.query('delete from statuses.follow where target_id = any($1)', [AUTHORS.map(({ number }) => accountIdOf(number))])
  await client.query(
    `insert into statuses.account (id, username, is_active, created_at)
     select $1::bigint + n, 'follower' || n, true, now() from generate_series(1, $2::bigint) n`,
    [FIRST, CROWD],
  )
  for (const { number, followers } of AUTHORS) {
    await client.query(
      `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
       select $1::bigint + n, $2, true, false, now() from generate_series(1, $3::bigint) n`,
      [FIRST, accountIdOf(number), followers],
    )
  }
  await client.query('vacuum analyze statuses.account, statuses.follow')
}

const walOf = async ({ client }: Harness): Promise<number> =>
  Number((await client.query(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') bytes`)).rows[0].bytes)

/** Waits until a post is in the home of the last who is to have it: the row is committed with all the others. */
const arrived = async ({ client }: Harness, accountId: string, statusId: string) => {
  for (;;) {
    const found = await client.query('select 1 from statuses.feed where account_id = $1 and status_id = $2', [accountId, statusId])
    if (found.rowCount) return
    await pause(5)
  }
}

type Cost = { followers: number; database: number; server: number; wal: number; seconds: number }

/** What a post of an author costs with all that follows from it, on the average of some. */
const costOfPosts = async (harness: Harness, { number, followers, posts }: (typeof AUTHORS)[number]): Promise<Cost> => {
  const last = followers > 0 ? String(FIRST + followers) : accountIdOf(number)
  const [before, walBefore, startedAt] = [harness.usage(), await walOf(harness), performance.now()]
  for (let turn = 0; turn < posts; turn++) await arrived(harness, last, await post(harness.origin, tokenOf(number), `to all ${turn}`))
  const [after, walAfter, endedAt] = [harness.usage(), await walOf(harness), performance.now()]
  const each = (total: number) => total / posts
  return {
    followers,
    database: each((after.database.seconds - before.database.seconds) * 1e6),
    server: each((after.server.seconds - before.server.seconds) * 1e6),
    wal: each(walAfter - walBefore),
    seconds: each((endedAt - startedAt) / 1000),
  }
}

/** Has a share of all authors pulled, so that each viewer follows so many of them on the average. */
const pull = async ({ client, sizes }: Harness, followed: number) => {
  await client.query('truncate statuses.pulled_author')
  await client.query(
    `insert into statuses.pulled_author (account_id, since_id)
     select 7000000000000000 + n, 0 from generate_series(1, $1::int) n where n % $2::int < $3::int`,
    [sizes.people, sizes.follows, followed],
  )
  await client.query(
    'delete from statuses.feed f using statuses.status_head h, statuses.pulled_author p where h.id = f.status_id and p.account_id = h.author_id and f.account_id <> h.author_id',
  )
  await client.query('vacuum analyze statuses.pulled_author, statuses.feed')
}

const row = (...columns: (string | number)[]) =>
  console.log(
    `| ${columns.map((each) => (typeof each === 'number' ? each.toLocaleString('en', { maximumSignificantDigits: 3 }) : each)).join(' | ')} |`,
  )
const head = (...columns: string[]) => {
  console.log()
  row(...columns)
  row(...columns.map(() => '---'))
}

const printModel = (measured: Measured) => {
  const { write, wal, pull, entryBytes } = measured
  console.log(
    `\nA post: ${write.fixed.toFixed(0)} µs of Postgres and ${write.each.toFixed(2)} µs a follower; ${wal.fixed.toFixed(0)} bytes of WAL and ${wal.each.toFixed(0)} a follower.`,
  )
  console.log(`A page that pulls: ${pull.toFixed(0)} µs of Postgres more. An entry of a home: ${entryBytes.toFixed(0)} bytes.`)
  console.log(
    `Pulling costs less than writing from ${postsPerPage(measured).toFixed(0)} posts of pulled authors for each page a follower reads.`,
  )
  head('partitions', 'followers reached in 5 s', 'seconds to reach 1 million', 'seconds to reach 10 million')
  for (const partitions of [1, 4, 16, 64]) {
    row(
      partitions,
      followersInTime(measured, partitions),
      secondsToReach(measured, 1e6, partitions),
      secondsToReach(measured, NETWORK.people, partitions),
    )
  }
  head('a region of 10 million people, in its busiest hour', '')
  for (const [what, value] of Object.entries(regionOf(measured))) row(what, value)
}

/** Measures what posts cost by their followers and homes by what they pull, and prints what follows for a network of ten million people. */
export const measureScaling = async (options: Options): Promise<void> => {
  const harness = await openHarness({ ...options, size: '20k' })
  try {
    await seedFollowers(harness)
    head('followers', 'Postgres µs a post', 'server µs a post', 'WAL bytes a post', 'seconds until the last has it')
    const posts: Cost[] = []
    for (const author of AUTHORS) {
      const cost = await costOfPosts(harness, author)
      posts.push(cost)
      row(cost.followers, cost.database, cost.server, cost.wal, cost.seconds)
    }
    const { rows } = await harness.client.query(
      `select pg_total_relation_size('statuses.feed') / count(*)::float8 bytes from statuses.feed`,
    )

    head('pulled authors followed', 'pages/s', 'server µs a page', 'Postgres µs a page')
    const pages: number[] = []
    let page = 0
    const target = requestsOf(harness.sizes)['home timeline of 20']!
    for (const followed of [0, 1, 2, 4]) {
      await pull(harness, followed)
      const { perSecond = '', serverMicroseconds = 0, databaseMicroseconds = 0 } = await measure('home', harness, target, options)
      pages.push(databaseMicroseconds)
      page ||= serverMicroseconds + databaseMicroseconds
      row(followed, perSecond, serverMicroseconds, databaseMicroseconds)
    }
    printModel({
      write: fitOf(posts.map(({ followers, database }) => ({ count: followers, cost: database }))),
      wal: fitOf(posts.map(({ followers, wal }) => ({ count: followers, cost: wal }))),
      pull: pages.slice(1).reduce((sum, cost) => sum + cost - pages[0]!, 0) / (pages.length - 1),
      page,
      post: posts[0]!.database + posts[0]!.server,
      entryBytes: rows[0].bytes,
    })
  } finally {
    await harness.close()
  }
}
