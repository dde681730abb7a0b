import { type PartitionCosts, sumOf } from './partitions.ts'
import { costOfPost, type Fit, followersInTime, type Measured, NETWORK, postsPerPage, regionOf, secondsToReach } from './scaling-model.ts'

/** Prints a row of a table, numbers with three significant digits. */
export const row = (...columns: (string | number)[]): void =>
  console.log(
    `| ${columns.map((each) => (typeof each === 'number' ? each.toLocaleString('en', { maximumSignificantDigits: 3 }) : each)).join(' | ')} |`,
  )

/** Prints the head of a table. */
export const head = (...columns: string[]): void => {
  console.log()
  row(...columns)
  row(...columns.map(() => '---'))
}

/** Prints the fit of posts. */
export const printFit = (write: Fit, wal: Fit): void =>
  console.log(
    `\nA post: ${write.fixed.toFixed(0)} µs of Postgres and ${write.each.toFixed(2)} µs a follower; ${wal.fixed.toFixed(0)} bytes of WAL and ${wal.each.toFixed(0)} a follower.`,
  )

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Prints the cost of posts to the followers of several partitions, and of home pages of each, beside the prediction of the fit. */
export const printPartitions = (runs: readonly PartitionCosts[], write: Fit): void => {
  head(
    'partitions',
    'Postgres µs a post without followers',
    'server µs',
    'bytes of WAL',
    'in sum: Postgres µs',
    'server µs',
    'bytes of WAL',
  )
  for (const { partitions, lonely } of runs) {
    const sum = sumOf(lonely)
    row(partitions, sum.database / partitions, sum.server / partitions, sum.wal / partitions, sum.database, sum.server, sum.wal)
  }
  head(
    'partitions',
    'followers of each',
    'Postgres µs a follower, in turn',
    'the line says',
    'server µs a follower',
    'WAL bytes a follower',
    'seconds, the slowest alone',
    'seconds, all at once',
    'Postgres µs a follower, all at once',
  )
  for (const { partitions, followers, alone, atOnce } of runs) {
    const sum = sumOf(alone)
    row(
      partitions,
      followers / partitions,
      sum.database / followers,
      costOfPost({ write }, followers, partitions) / followers,
      sum.server / followers,
      sum.wal / followers,
      sum.seconds,
      atOnce.seconds,
      atOnce.database / followers,
    )
  }
  head(
    'partitions',
    'entries of homes of each',
    'bytes an entry',
    'blocks of the statement of a page',
    'Postgres µs a page',
    'server µs a page',
  )
  for (const { partitions, homes } of runs) {
    row(
      partitions,
      mean(homes.map(({ entries }) => entries)),
      mean(homes.map(({ bytes, entries }) => bytes / entries)),
      mean(homes.map(({ page }) => page.blocks)),
      mean(homes.map(({ page }) => page.database)),
      mean(homes.map(({ page }) => page.server)),
    )
  }
}

/** Prints the extrapolation to a network of ten million people. */
export const printModel = (measured: Measured): void => {
  printFit(measured.write, measured.wal)
  console.log(
    `A page that pulls: ${measured.pull.toFixed(0)} µs of Postgres more. An entry of a home: ${measured.entryBytes.toFixed(0)} bytes.`,
  )
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
  const regions = [1, 4, 16, 64].map((partitions) => regionOf(measured, partitions))
  head('a region of 10 million people, in its busiest hour, by partitions', '1', '4', '16', '64')
  for (const what of Object.keys(regions[0]!) as (keyof (typeof regions)[number])[]) row(what, ...regions.map((region) => region[what]))
}
