/** A linear fit: the fixed cost, and the cost per item. */
export type Fit = { fixed: number; each: number }

/** The least-squares fit by relative errors to points of (count, cost): small counts matter as much as large ones. */
export const fitOf = (points: readonly { count: number; cost: number }[]): Fit => {
  let [weights, x, y, xx, xy] = [0, 0, 0, 0, 0]
  for (const { count, cost } of points) {
    const weight = 1 / Math.max(cost, 1) ** 2
    weights += weight
    x += weight * count
    y += weight * cost
    xx += weight * count * count
    xy += weight * count * cost
  }
  const each = (weights * xy - x * y) / (weights * xx - x * x)
  return { each, fixed: Math.max(0, (y - each * x) / weights) }
}

/**
 * The measured costs: microseconds of Postgres and bytes of WAL per post by followers, and the additional microseconds of Postgres for a
 * page that pulls.
 */
export type Measured = {
  write: Fit
  wal: Fit
  pull: number
  /** Microseconds of the server and of Postgres for a home page, and for a post without followers. */
  page: number
  post: number
  /** Bytes of a home's entry on disk, indexes included. */
  entryBytes: number
}

/** The assumed network. */
export const NETWORK = {
  people: 10_000_000,
  /** People who read their home within 30 days, and within a day; homes of others are inactive. */
  readingMonthly: 3_000_000,
  readingDaily: 1_000_000,
  /** Per person who reads that day. */
  pagesDaily: 30,
  postsDaily: 2,
  /** The mean number of followers with active homes per post. */
  meanFollowers: 60,
  /** The busiest hour's share of a day. */
  busiestHour: 0.1,
  connectedAtOnce: 150_000,
  entriesOfHome: 800,
} as const

/** The assumed utilisation of a core, and how long a post may take to reach all of its followers, in seconds. */
const USE = 0.6
const PATIENCE = 5
const SECONDS_PER_HOUR = 3600
const MICRO = 1e6

/**
 * The maximum number of followers that a post reaches in time, when partitions write to their shares of the homes concurrently, each with
 * one core.
 */
export const followersInTime = ({ write }: Measured, partitions: number): number =>
  Math.max(0, ((PATIENCE * MICRO - write.fixed) * partitions) / write.each)

/** Seconds until a post is in the homes of its followers, over partitions. */
export const secondsToReach = ({ write }: Measured, followers: number, partitions: number): number =>
  (write.fixed + (write.each * followers) / partitions) / MICRO

/** Microseconds of Postgres, over all partitions, for a post to this many followers; each partition pays the fixed cost. */
export const costOfPost = ({ write }: Pick<Measured, 'write'>, followers: number, partitions: number): number =>
  write.fixed * partitions + write.each * followers

/** The posts of pulled authors per page read, below which pulling costs more than writing each post. */
export const postsPerPage = ({ write, pull }: Measured): number => pull / write.each

/** Processor cores, disk and WAL of a region with everyone, where each partition writes each post for its share of the followers. */
export const regionOf = ({ write, wal, page, post, entryBytes }: Measured, partitions = 1) => {
  const perSecond = (daily: number) => (NETWORK.readingDaily * daily * NETWORK.busiestHour) / SECONDS_PER_HOUR
  const posts = perSecond(NETWORK.postsDaily)
  const pages = perSecond(NETWORK.pagesDaily)
  const cores = (rate: number, microseconds: number) => (rate * microseconds) / MICRO / USE
  return {
    postsPerSecond: posts,
    pagesPerSecond: pages,
    coresOfPages: cores(pages, page),
    coresOfPosts: cores(posts, post * partitions),
    coresOfFanOut: cores(posts, write.each * NETWORK.meanFollowers),
    walMegabytesPerSecond: (posts * (wal.fixed * partitions + wal.each * NETWORK.meanFollowers)) / 1e6,
    homesGigabytes: (NETWORK.readingMonthly * NETWORK.entriesOfHome * entryBytes) / 1e9,
  }
}
