import type { Options } from './config.ts'
import { type Cost, costOfPosts, EVERYONE, seedFollowers } from './follower-crowd.ts'
import { type Harness, openHarness } from './harness.ts'
import { measurePartitions, type PartitionCosts } from './partitions.ts'
import { costOfRequests, requestsOf } from './requests.ts'
import { fitOf } from './scaling-model.ts'
import { head, printFit, printModel, printPartitions, row } from './scaling-tables.ts'

/** Authors by the number of their followers, and how often each posts. None of them is among the viewers. */
const AUTHORS = [
  { number: 301, followers: 0, posts: 100 },
  { number: 302, followers: 1000, posts: 50 },
  { number: 303, followers: 10_000, posts: 15 },
  { number: 304, followers: 100_000, posts: 4 },
  { number: 305, followers: 300_000, posts: 2 },
] as const

/** The cost of a post to this many followers on one server. */
type Post = Cost & { followers: number }

/** Makes a share of all authors pulled, so that each viewer follows this many of them on average. */
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

const measurePosts = async (harness: Harness): Promise<Post[]> => {
  await seedFollowers(harness, AUTHORS, EVERYONE)
  head('followers', 'Postgres µs a post', 'server µs a post', 'WAL bytes a post', 'seconds until the last has it')
  const posts: Post[] = []
  for (const author of AUTHORS) {
    const { followers } = author
    const cost = await costOfPosts(harness, author, EVERYONE)
    posts.push({ ...cost, followers })
    row(followers, cost.database, cost.server, cost.wal, cost.seconds)
  }
  return posts
}

/** Measures the microseconds of a page without pulls, and the additional ones of Postgres with pulls. */
const measurePages = async (harness: Harness, { seconds }: Options): Promise<{ page: number; pull: number }> => {
  head('pulled authors followed', 'pages/s', 'server µs a page', 'Postgres µs a page')
  const target = requestsOf(harness.sizes)['home timeline of 20']!
  const pages: { server: number; database: number }[] = []
  for (const followed of [0, 1, 2, 4]) {
    await pull(harness, followed)
    const cost = await costOfRequests(harness, target, { seconds })
    pages.push(cost)
    row(followed, cost.load.perSecond, cost.server, cost.database)
  }
  const [plain, ...pulling] = pages as [(typeof pages)[number], ...typeof pages]
  return {
    page: plain.server + plain.database,
    pull: pulling.reduce((sum, { database }) => sum + database - plain.database, 0) / pulling.length,
  }
}

const measureOneServer = async (options: Options) => {
  const harness = await openHarness({ ...options, size: '20k' })
  try {
    const posts = await measurePosts(harness)
    const { rows } = await harness.client.query(
      `select pg_total_relation_size('statuses.feed') / count(*)::float8 bytes from statuses.feed`,
    )
    return { posts, entryBytes: rows[0].bytes as number, ...(await measurePages(harness, options)) }
  } finally {
    await harness.close()
  }
}

/** The costs of posts on each partition: without followers, and to those of its share. */
const postsOf = ({ partitions, followers, lonely, alone }: PartitionCosts): Post[] => [
  ...lonely.map((cost) => ({ ...cost, followers: 0 })),
  ...alone.map((cost) => ({ ...cost, followers: followers / partitions })),
]

/**
 * Measures the cost of posts by followers, on one server and over partitions, and of homes by what they pull, and prints the extrapolation
 * to a network of ten million people. If only partitions are requested, the rest is left out.
 */
export const measureScaling = async (options: Options): Promise<void> => {
  const whole = options.only === 'partitions' ? undefined : await measureOneServer(options)
  const runs: PartitionCosts[] = []
  for (const count of options.partitions) runs.push(await measurePartitions(options, count))
  const posts = [...(whole?.posts ?? []), ...runs.flatMap(postsOf)]
  const write = fitOf(posts.map(({ followers, database }) => ({ count: followers, cost: database })))
  const wal = fitOf(posts.map(({ followers, wal }) => ({ count: followers, cost: wal })))
  printPartitions(runs, write)
  if (!whole) return printFit(write, wal)
  const [alone] = whole.posts as [Post, ...Post[]]
  printModel({ ...whole, write, wal, post: alone.database + alone.server })
}
