import { describe, expect, test } from 'vitest'
import { changesOf, differenceOf, type Entry, mergedEntries, withoutNearRepeats, withoutRepeats } from './feed.rules.ts'

const post = (id: number): Entry => ({ statusId: String(id), reblogOfId: null })
const boost = (id: number, of: number): Entry => ({ statusId: String(id), reblogOfId: String(of) })
const posts = (first: number, count: number) => Array.from({ length: count }, (_, index) => post(first + index))
const ids = (entries: readonly Entry[]) => entries.map(({ statusId }) => Number(statusId))

describe('of entries that come one after the other', () => {
  test.each([
    ['a boost of another post stays', [post(1), boost(2, 9)], [1, 2]],
    ['a boost of a post among the newest goes', [post(1), boost(2, 1)], [1]],
    ['a second boost of a post goes', [boost(2, 1), boost(3, 1)], [2]],
    ['a post stays after its boost', [boost(2, 3), post(3)], [2, 3]],
    ['a boost of the 80th newest goes', [post(1), ...posts(2, 79), boost(90, 1)], [1, ...ids(posts(2, 79))]],
    ['a boost of the 81st newest stays', [post(1), ...posts(2, 80), boost(90, 1)], [1, ...ids(posts(2, 80)), 90]],
    ['boosts that went are not counted', [post(1), ...posts(2, 79), boost(90, 1), boost(91, 1)], [1, ...ids(posts(2, 79))]],
  ])('%s', (_what, entries, kept) => expect(ids(withoutRepeats(entries))).toEqual(kept))
})

describe('of entries of a page, newest first', () => {
  const down = (entries: readonly Entry[]) => entries.toReversed()
  test.each([
    ['a boost of a post behind it goes', [boost(2, 1), post(1)], 0, [1]],
    ['a boost of a post before it stays', [post(3), boost(2, 3)], 0, [3, 2]],
    ['a boost of what is only looked at goes', [boost(2, 1), post(1)], 1, []],
    ['of two boosts the older stays', [boost(3, 1), boost(2, 1)], 0, [2]],
    ['a boost of the 80th behind it goes', [boost(90, 1), ...down(posts(2, 79)), post(1)], 80, []],
    ['a boost of the 81st behind it stays', [boost(90, 1), ...down(posts(2, 80)), post(1)], 81, [90]],
    ['of three boosts the oldest stays', [boost(4, 1), boost(3, 1), boost(2, 1)], 0, [2]],
  ])('%s', (_what, entries, lookBack, kept) => expect(ids(withoutNearRepeats(entries, lookBack))).toEqual(kept))
})

describe('two searches of one part', () => {
  const search = (isAll: boolean, ...entries: number[]) => ({ entries: entries.map(post), isAll })
  test.each([
    ['are in order together', 'desc', search(true, 9, 5), search(true, 7, 1), [9, 7, 5, 1], true],
    ['are in order together, oldest first', 'asc', search(true, 5, 9), search(true, 1, 7), [1, 5, 7, 9], true],
    ['have an entry of both once', 'desc', search(true, 9, 5), search(true, 9, 1), [9, 5, 1], true],
    ['end where the first stopped', 'desc', search(false, 9, 5), search(true, 7, 5, 1), [9, 7, 5], false],
    ['end where the second stopped', 'desc', search(true, 9, 5, 1), search(false, 7), [9, 7], false],
    ['end where the first of them stopped', 'desc', search(false, 9, 5), search(false, 8, 7), [9, 8, 7], false],
    ['end where the first of them stopped, oldest first', 'asc', search(false, 1, 5), search(false, 2, 3), [1, 2, 3], false],
    ['are nothing if nothing is wanted', 'desc', search(false), search(false), [], false],
  ] as const)('%s', (_how, order, one, other, merged, isAll) => {
    const { entries, ...rest } = mergedEntries(one, other, order)
    expect([ids(entries), rest]).toEqual([merged, { isAll }])
  })
})

test('changes are what goes and what comes', () => {
  expect(changesOf([post(1), post(2)], [post(2), post(3)])).toEqual({ gone: ['1'], come: [post(3)] })
})

describe('a home differs', () => {
  test.each([
    ['not when it holds what belongs there', [post(1), boost(2, 9)], true, [post(1), boost(2, 9)], 0, 0],
    ['by a post it lacks', [post(1)], true, [post(1), post(2)], 1, 0],
    ['by a post that does not belong there', [post(1), post(2)], true, [post(1)], 0, 1],
    ['by a boost it lacks', [post(1)], true, [post(1), boost(2, 9)], 1, 0],
    ['not by a boost whose original it shows', [post(1)], true, [post(1), boost(2, 1)], 0, 0],
    ['not by a boost of which it shows another', [boost(2, 9)], true, [boost(2, 9), boost(3, 9)], 0, 0],
    ['not by a boost at the bottom of what is stored', posts(2, 100), false, [boost(1, 900), ...posts(2, 100)], 0, 0],
    ['not by a boost in place of the 80th of what is stored', posts(2, 100), false, [...posts(2, 100), boost(81, 900)], 0, 0],
    ['by a boost above the bottom', posts(2, 100), false, [...posts(2, 100), boost(200, 900)], 1, 0],
    ['by a boost at the bottom of a home that is whole', posts(2, 100), true, [boost(1, 900), ...posts(2, 100)], 1, 0],
  ])('%s', (_how, stored, isWhole, belonging, missing, unwanted) =>
    expect(differenceOf({ stored, isWhole }, belonging)).toEqual({ missing, unwanted }),
  )
})
