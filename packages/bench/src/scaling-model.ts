/** A line through measured points: what one more of something costs, and what there is besides. */
export type Fit = { fixed: number; each: number }

/** The line of least squared relative errors through points of (count, cost): small counts matter as much as large ones. */
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

/** What was measured: microseconds of Postgres and bytes of WAL a post by its followers; microseconds of Postgres that a page costs more which pulls. */
export type Measured = {
  write: Fit
  wal: Fit
  pull: number
  /** Microseconds of the server and of Postgres for a page of a home, and for a post without followers. */
  page: number
  post: number
  /** Of an entry of a home with its indexes, on disk. */
  entryBytes: number
}

/** A network of people, as it is supposed to be. */
export const NETWORK = {
  people: 10_000_000,
  /** Who read their home within 30 days, and within a day: the homes of others rest. */
  readingMonthly: 3_000_000,
  readingDaily: 1_000_000,
  /** Of each who reads that day. */
  pagesDaily: 30,
  postsDaily: 2,
  /** Of a post by anyone: followers whose homes do not rest. */
  meanFollowers: 60,
  /** What the busiest hour has, as a share of a day. */
  busiestHour: 0.1,
  connectedAtOnce: 150_000,
  entriesOfHome: 800,
} as const

/** How much a core is used, and how long a post may take to all of its followers, in seconds. */
const USE = 0.6
const PATIENCE = 5
const SECONDS_PER_HOUR = 3600
const MICRO = 1e6

/** Followers up to which a post reaches all within the time, where so many partitions write to their part of the homes at once, each with one core. */
export const followersInTime = ({ write }: Measured, partitions: number): number =>
  Math.max(0, ((PATIENCE * MICRO - write.fixed) * partitions) / write.each)

/** Seconds until a post is in the homes of so many followers, over partitions. */
export const secondsToReach = ({ write }: Measured, followers: number, partitions: number): number =>
  (write.fixed + (write.each * followers) / partitions) / MICRO

/** Microseconds of Postgres, of all partitions together, for a post to so many followers: what a post costs besides them, each partition pays. */
export const costOfPost = ({ write }: Pick<Measured, 'write'>, followers: number, partitions: number): number =>
  write.fixed * partitions + write.each * followers

/** Posts of pulled authors for each page that a follower reads, above which pulling them costs less than writing each. */
export const postsPerPage = ({ write, pull }: Measured): number => pull / write.each

/** Processor cores, disk and WAL of a region that holds everyone, where each partition writes each post for its part of the followers. */
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
