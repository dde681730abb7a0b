import { setTimeout as pause } from 'node:timers/promises'
import type { Harness } from './harness.ts'
import { post } from './post.ts'
import { accountIdOf, tokenOf } from './seed.ts'

/** The first id of people who only follow. */
const FIRST = 8_500_000_000_000_000

/** The share of all accounts in one of several partitions: by id, modulo their number. */
export type Share = { partitions: number; partition: number }
export const EVERYONE: Share = { partitions: 1, partition: 0 }

/** Whether an account belongs to a share. */
export const hasAccount = ({ partitions, partition }: Share, accountId: string): boolean => Number(accountId) % partitions === partition

/** An author with this many followers, by number; not among the viewers. */
export type Author = { number: number; followers: number; posts: number }

/** Inserts those followers of the authors that belong to a share, with homes that were read today. */
export const seedFollowers = async ({ client }: Harness, authors: readonly Author[], { partitions, partition }: Share) => {
  await client.query('delete from statuses.follow where target_id = any($1)', [authors.map(({ number }) => accountIdOf(number))])
  const numbers = `generate_series(1, $2::bigint) n where ($1::bigint + n) % ${partitions} = ${partition}`
  const crowd = [FIRST, Math.max(...authors.map(({ followers }) => followers))]
  await client.query(
    `insert into statuses.account (id, username, is_active, created_at) select $1::bigint + n, 'follower' || n, true, now() from ${numbers}`,
    crowd,
  )
  await client.query(
    `insert into statuses.home (account_id, floor_id, is_resting, read_on) select $1::bigint + n, 0, false, current_date from ${numbers}`,
    crowd,
  )
  for (const { number, followers } of authors) {
    await client.query(
      `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at) select $1::bigint + n, $3, true, false, now() from ${numbers}`,
      [FIRST, followers, accountIdOf(number)],
    )
  }
  await client.query('vacuum analyze statuses.account, statuses.follow, statuses.home')
  // So that the additional WAL of a page's first write after a checkpoint is the same for every run.
  await client.query('checkpoint')
}

const walOf = async ({ client }: Harness): Promise<number> =>
  Number((await client.query(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') bytes`)).rows[0].bytes)

/** The last of an author's followers in a share; the author if there are none. */
const lastReader = ({ number, followers }: Author, share: Share): string => {
  for (let last = followers; last > 0; last--) if (hasAccount(share, String(FIRST + last))) return String(FIRST + last)
  return accountIdOf(number)
}

/**
 * Waits until a post is in the home of a follower. Polls after a pause in milliseconds, with growing pauses, so that polling costs nothing
 * beside the measured work.
 */
export const arrived = async (
  { client }: Pick<Harness, 'client'>,
  { accountId, statusId, every }: { accountId: string; statusId: string; every: number },
): Promise<void> => {
  for (const since = performance.now(); ; ) {
    const found = await client.query('select 1 from statuses.feed where account_id = $1 and status_id = $2', [accountId, statusId])
    if (found.rowCount) return
    await pause(Math.max(every, (performance.now() - since) / 50))
  }
}

/** The cost of a post: microseconds of Postgres and of the server, bytes of WAL, and seconds until the last follower has it. */
export type Cost = { database: number; server: number; wal: number; seconds: number }

/** The average cost of an author's posts, with everything that follows from them. */
export const costOfPosts = async (harness: Harness, author: Author, share: Share): Promise<Cost> => {
  const last = lastReader(author, share)
  const [before, walBefore, startedAt] = [harness.usage(), await walOf(harness), performance.now()]
  for (let turn = 0; turn < author.posts; turn++) {
    const statusId = await post(harness.origin, tokenOf(author.number), `to all ${turn}`)
    // The last follower's home is in the last range that is written.
    await arrived(harness, { accountId: last, statusId, every: 5 })
  }
  const [after, walAfter, endedAt] = [harness.usage(), await walOf(harness), performance.now()]
  const each = (total: number) => total / author.posts
  return {
    database: each((after.database.seconds - before.database.seconds) * 1e6),
    server: each((after.server.seconds - before.server.seconds) * 1e6),
    wal: each(walAfter - walBefore),
    seconds: each((endedAt - startedAt) / 1000),
  }
}
