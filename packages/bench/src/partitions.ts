import type { Options } from './config.ts'
import { type Author, type Cost, costOfPosts, hasAccount, type Share, seedFollowers } from './follower-crowd.ts'
import { type Harness, openHarness } from './harness.ts'
import { costOfRequests } from './requests.ts'
import { accountIdOf, tokenOf } from './seed.ts'

/** An author without followers, and one with followers on all partitions. */
const LONELY: Author = { number: 301, followers: 0, posts: 100 }
const FAMOUS_NUMBER = 305
const POSTS = 3
const HOME = '/api/v1/timelines/home?limit=20'
/** How many pages have their blocks counted. */
const MAX_COUNTED = 200
/** Makes Postgres count what each statement reads. */
const COUNTING = ['-c', 'shared_preload_libraries=pg_stat_statements']

/** One of several servers, each with its own Postgres, which has the homes and follows of its share; everything else is on each. */
type Partition = { harness: Harness; share: Share }

/** The cost of posts to followers over several partitions, and of home pages on each. */
export type PartitionCosts = {
  partitions: number
  followers: number
  /** By partition: posts without followers, and posts to all, while no other partition works. */
  lonely: Cost[]
  alone: Cost[]
  /** A post to all, on all partitions concurrently: the sum of Postgres's microseconds, and seconds until the last is done. */
  atOnce: { database: number; seconds: number }
  /** By partition: entries of homes and their bytes, and the cost of a home page. */
  homes: { entries: number; bytes: number; page: { server: number; database: number; blocks: number } }[]
}

/** Deletes everything from a server that does not belong to its share of accounts. */
const keepShare = async ({ client }: Harness, { partitions, partition }: Share) => {
  await client.query('delete from statuses.follow where account_id % $1 <> $2', [partitions, partition])
  await client.query('delete from statuses.feed where account_id % $1 <> $2', [partitions, partition])
  await client.query('delete from statuses.home where account_id % $1 <> $2', [partitions, partition])
  // Rebuilds the index, so that it is as full as that of a server that never held more.
  await client.query('vacuum full analyze statuses.feed')
}

const openPartition = async (options: Options, share: Share, famous: Author): Promise<Partition> => {
  const harness = await openHarness({ ...options, size: '20k', port: options.port + 2 * share.partition }, COUNTING)
  await harness.client.query('create extension pg_stat_statements')
  await keepShare(harness, share)
  await seedFollowers(harness, [LONELY, famous], share)
  return { harness, share }
}

/** Measures one partition after the other, as if each had a machine of its own. */
const sequentially = async <T>(partitions: readonly Partition[], cost: (partition: Partition) => Promise<T>): Promise<T[]> => {
  const costs: T[] = []
  for (const partition of partitions) costs.push(await cost(partition))
  return costs
}

/** The cost of all partitions together; the time is that of the slowest. */
export const sumOf = (costs: readonly Cost[]): Cost => {
  const sum = (part: keyof Cost) => costs.reduce((total, cost) => total + cost[part], 0)
  return { database: sum('database'), server: sum('server'), wal: sum('wal'), seconds: Math.max(...costs.map(({ seconds }) => seconds)) }
}

const postAtOnce = async (partitions: readonly Partition[], famous: Author): Promise<PartitionCosts['atOnce']> => {
  const total = { database: 0, seconds: 0 }
  for (let round = 0; round < POSTS; round++) {
    const sum = sumOf(await Promise.all(partitions.map(({ harness, share }) => costOfPosts(harness, { ...famous, posts: 1 }, share))))
    total.database += sum.database
    total.seconds += sum.seconds
  }
  return { database: total.database / POSTS, seconds: total.seconds / POSTS }
}

/** Blocks read by the statement that finds a home page, averaged over sequential reads: concurrent readers would share it. */
const blocksOfHome = async ({ origin, client }: Harness, tokens: readonly string[]): Promise<number> => {
  await client.query('select pg_stat_statements_reset()')
  for (const token of tokens.slice(0, MAX_COUNTED)) {
    await (await fetch(`${origin}${HOME}`, { headers: { authorization: `Bearer ${token}` } })).arrayBuffer()
  }
  const { rows } = await client.query(
    `select (shared_blks_hit + shared_blks_read) / calls::float8 blocks from pg_stat_statements where query like '%from feed %' order by calls desc limit 1`,
  )
  return rows[0].blocks
}

const readHomes = async ({ harness, share }: Partition, seconds: number) => {
  const { rows } = await harness.client.query(
    `select count(*)::int entries, pg_total_relation_size('statuses.feed')::float8 bytes from statuses.feed`,
  )
  const people = Array.from({ length: harness.sizes.homes }, (_, index) => index + 1)
  const tokens = people.filter((number) => hasAccount(share, accountIdOf(number))).map(tokenOf)
  const { server, database } = await costOfRequests(harness, { path: HOME, tokens }, { seconds })
  // By then everything else that readers need is cached.
  return { entries: rows[0].entries, bytes: rows[0].bytes, page: { server, database, blocks: await blocksOfHome(harness, tokens) } }
}

/** Runs the real server once per partition, and posts to the followers of all through each of them. */
export const measurePartitions = async (options: Options, count: number): Promise<PartitionCosts> => {
  const famous: Author = { number: FAMOUS_NUMBER, followers: options.followers, posts: POSTS }
  const partitions: Partition[] = []
  try {
    for (let partition = 0; partition < count; partition++) {
      partitions.push(await openPartition(options, { partitions: count, partition }, famous))
    }
    const lonely = await sequentially(partitions, ({ harness, share }) => costOfPosts(harness, LONELY, share))
    const alone = await sequentially(partitions, ({ harness, share }) => costOfPosts(harness, famous, share))
    const atOnce = await postAtOnce(partitions, famous)
    const homes = await sequentially(partitions, (partition) => readHomes(partition, options.seconds))
    return { partitions: count, followers: options.followers, lonely, alone, atOnce, homes }
  } finally {
    for (const { harness } of partitions) await harness.close()
  }
}
