import { expect, test } from 'vitest'
import { costOfPost, fitOf, followersInTime, type Measured, NETWORK, postsPerPage, regionOf, secondsToReach } from './scaling-model.ts'

const MEASURED: Measured = {
  write: { fixed: 2000, each: 10 },
  wal: { fixed: 4000, each: 200 },
  pull: 600,
  page: 400,
  post: 2000,
  entryBytes: 86,
}

test.each([
  {
    name: 'points on a line',
    points: [
      { count: 0, cost: 2000 },
      { count: 100, cost: 3000 },
      { count: 10_000, cost: 102_000 },
    ],
    fixed: 2000,
    each: 10,
  },
  {
    name: 'a line that would begin below nothing',
    points: [
      { count: 100, cost: 500 },
      { count: 200, cost: 2000 },
    ],
    fixed: 0,
    each: 15,
  },
])('fits $name', ({ points, fixed, each }) => {
  const fit = fitOf(points)
  expect(fit.fixed).toBeCloseTo(fixed, 6)
  expect(fit.each).toBeCloseTo(each, 6)
})

test('small counts weigh as much as large ones in a fit', () => {
  // The last point is a tenth off the line of the others; with absolute errors it alone would determine the line.
  const points = [0, 1000, 2000, 100_000].map((count) => ({ count, cost: (1000 + 10 * count) * (count === 100_000 ? 1.1 : 1) }))
  expect(fitOf(points).fixed).toBeGreaterThan(950)
})

test.each([
  [300_000, 1, 3_002_000],
  [300_000, 2, 3_004_000],
  [300_000, 4, 3_008_000],
  [0, 4, 8000],
])('a post to %i followers over %i partitions costs its followers once, and the rest on each', (followers, partitions, cost) => {
  expect(costOfPost(MEASURED, followers, partitions)).toBe(cost)
})

test.each([
  [1_000_000, 1, 10.002],
  [1_000_000, 4, 2.502],
])('%i followers over %i partitions are reached when each has written its part', (followers, partitions, seconds) => {
  expect(secondsToReach(MEASURED, followers, partitions)).toBeCloseTo(seconds, 6)
})

test.each([1, 4, 64])('so many followers are reached in time over %i partitions as take that time', (partitions) => {
  expect(secondsToReach(MEASURED, followersInTime(MEASURED, partitions), partitions)).toBeCloseTo(5, 6)
})

test('reaches no one in time where a post alone takes longer', () => {
  expect(followersInTime({ ...MEASURED, write: { fixed: 6e6, each: 10 } }, 4)).toBe(0)
})

test('pulling costs less than writing from as many posts a page as one page costs more', () => {
  expect(postsPerPage(MEASURED)).toBe(60)
})

test('a region pays for followers and pages once, and for a post on each partition', () => {
  const [one, four] = [regionOf(MEASURED), regionOf(MEASURED, 4)]
  expect(four).toMatchObject({ coresOfPages: one.coresOfPages, coresOfFanOut: one.coresOfFanOut, homesGigabytes: one.homesGigabytes })
  expect(four.coresOfPosts).toBeCloseTo(one.coresOfPosts * 4, 9)
  expect(four.walMegabytesPerSecond - one.walMegabytesPerSecond).toBeCloseTo((one.postsPerSecond * MEASURED.wal.fixed * 3) / 1e6, 9)
  expect(one.homesGigabytes).toBe((NETWORK.readingMonthly * NETWORK.entriesOfHome * 86) / 1e9)
})
