import { expect, test } from 'vitest'
import { knownPages } from './known-pages.ts'

type Row = { ids: string[]; heads: string; turn: number }

const row = (heads: string, turn = 1): Row => ({ ids: ['1'], heads, turn })
const database = () => ({ pool: {} as never })

/** Pages that count how often they were decoded. */
const open = (max = 10) => {
  const decoded: string[] = []
  const known = knownPages({
    columns: ['ids', 'heads'] as const,
    decode: ({ ids, heads }: Row) => {
      decoded.push(heads)
      return { ids, heads }
    },
    max,
  })
  return { known, decoded }
}

test('a page is decoded again once its row has changed, and not when only other columns have', () => {
  const { known, decoded } = open()
  const pages = known(database())
  const read = (heads: string, turn: number) => pages.take('mara', row(heads, turn)).heads
  expect([read('a', 1), read('a', 2), read('b', 3), read('b', 4), read('a', 5)]).toEqual(['a', 'a', 'b', 'b', 'a'])
  expect(decoded).toEqual(['a', 'b', 'a'])
})

test('an unchanged page is the same object, or what it is returned as again', () => {
  const pages = open().known(database())
  const first = pages.take('mara', row('a'))
  expect(pages.take('mara', row('a'))).toBe(first)
  expect(pages.take('mara', row('b'))).not.toBe(first)
  const counted = knownPages({
    columns: ['heads'] as const,
    decode: ({ ids }: Row) => ({ ids, reads: 1 }),
    again: (page) => ({ ...page, reads: page.reads + 1 }),
    max: 10,
  })(database())
  expect(['a', 'a', 'a', 'b'].map((heads) => counted.take('mara', row(heads)).reads)).toEqual([1, 2, 2, 1])
})

test('pages of other keys and of other databases are other pages', () => {
  const { known, decoded } = open()
  const [one, other] = [database(), database()]
  known(one).take('mara', row('a'))
  expect([known(one).last('joel'), known(other).last('mara')]).toEqual([undefined, undefined])
  known(one).take('joel', row('a'))
  known(other).take('mara', row('a'))
  expect(decoded).toEqual(['a', 'a', 'a'])
  expect(known(one).last('mara')?.heads).toBe('a')
})

test('so many pages are remembered, first those that were read last, and none that is very long', () => {
  const { known, decoded } = open(4)
  const pages = known(database())
  for (const key of ['1', '2', '1', '3', '1', '4', '1', '5', '1']) pages.take(key, row(key))
  expect(decoded).toEqual(['1', '2', '3', '4', '5'])
  expect(['1', '2', '5'].map((key) => pages.last(key)?.heads)).toEqual(['1', undefined, '5'])
  pages.take('long', { ...row('a'), ids: Array.from({ length: 501 }, (_, index) => String(index)) })
  expect(pages.last('long')).toBeUndefined()
})
