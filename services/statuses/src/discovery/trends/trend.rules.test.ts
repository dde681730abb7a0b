import { describe, expect, test } from 'vitest'
import { HALF_LIVES, minRank, nextPeak, type Peak, rankOf, scoreOf, statusScore } from './trend.rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-03-07T13:00:00Z')
const TODAY = Math.floor(NOW / DAY)

describe('a tag used by so many accounts today and yesterday', () => {
  test.each([
    [4, 0, 0],
    [5, 0, 16],
    [5, 1, 16],
    [6, 2, 8],
    [5, 4, 0.25],
    [5, 5, 0],
    [20, 30, 0],
    [30, 20, 5],
  ])('%d and %d scores %d', (today, yesterday, score) => expect(scoreOf(today, yesterday, 5)).toBe(score))

  test.each([
    [1, 1, 0],
    [2, 2, 1],
    [3, 4, 0],
  ])('%d and 0 with a minimum of %d scores %d', (today, minimum, score) => expect(scoreOf(today, 0, minimum)).toBe(score))
})

describe('a peak', () => {
  const next = (peak: Peak | undefined, accounts: Record<number, number>, now = NOW) =>
    nextPeak({ peak, accountsOn: (day) => accounts[TODAY - day] ?? 0, now, minAccounts: 5 })

  test.each<[string, Peak | undefined, Record<number, number>, Peak | undefined]>([
    ['is the present score when there was none', undefined, { 0: 5 }, { score: 16, at: NOW }],
    ['is none below the minimum', undefined, { 0: 4 }, undefined],
    ['stays while the score is lower', { score: 100, at: NOW - DAY }, { 0: 5, 1: 12, 2: 1 }, { score: 100, at: NOW - DAY }],
    ['is replaced by a higher score', { score: 16, at: NOW - HOUR }, { 0: 6 }, { score: 25, at: NOW }],
    ['keeps its time at the same score', { score: 16, at: NOW - HOUR }, { 0: 5 }, { score: 16, at: NOW - HOUR }],
    ['falls with what its day still counts', { score: 81, at: NOW - HOUR }, { 0: 5 }, { score: 16, at: NOW - HOUR }],
    ['ends when its day no longer counts', { score: 16, at: NOW - HOUR }, { 0: 4 }, undefined],
    ['gives way after two days', { score: 100, at: NOW - 2 * DAY }, { 0: 5, 2: 11 }, { score: 16, at: NOW }],
    ['ends after two days', { score: 100, at: NOW - 2 * DAY }, { 2: 11 }, undefined],
  ])('%s', (_case, peak, accounts, expected) => expect(next(peak, accounts)).toEqual(expected))
})

describe('a rank', () => {
  test('falls by the same as the score halves', () => {
    for (const halfLife of Object.values(HALF_LIVES)) {
      const old = rankOf({ score: 32, at: NOW - 2 * halfLife }, halfLife)
      expect(old).toBeCloseTo(rankOf({ score: 8, at: NOW }, halfLife), 6)
    }
  })

  test.each([
    ['a tag', HALF_LIVES.tag, 8 * 4],
    ['a link', HALF_LIVES.link, 8 * 8],
    ['a status', HALF_LIVES.status, 8],
  ])('of 16 is enough for %s for some hours', (_what, halfLife, hours) => {
    const rank = rankOf({ score: 16, at: NOW }, halfLife)
    expect(rank > minRank(NOW + (hours - 1) * HOUR, halfLife)).toBe(true)
    expect(rank > minRank(NOW + (hours + 1) * HOUR, halfLife)).toBe(false)
  })
})

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [5, 16],
])('a status with %d interactions scores %d', (interactions, score) => expect(statusScore(interactions)).toBe(score))
