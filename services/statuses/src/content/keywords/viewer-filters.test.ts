import { expect, test } from 'vitest'
import type { StoredFilter } from '../../database/tables/filter.ts'
import { foldText } from './folded-text.ts'
import { compileFilters } from './viewer-filters.ts'

const filter = (id: string, given: Partial<StoredFilter> = {}): StoredFilter => ({
  id,
  title: `filter ${id}`,
  contexts: ['home'],
  action: 'warn',
  expiresAt: null,
  keywords: [],
  statuses: [],
  ...given,
})

const results = (filters: StoredFilter[], ids: string[], text: string) =>
  (compileFilters(filters)?.results(ids, () => foldText(text)) ?? []).map(({ filter: found, keywordMatches, statusMatches }) => [
    found?.id,
    keywordMatches,
    statusMatches,
  ])

test('a filter fits by any of its keywords, and says what stands first', () => {
  const filters = [filter('1', { keywords: [['cake', true], ['Tea', true]] }), filter('2', { keywords: [['coffee', true]] })] // biome-ignore format: rows
  expect(results(filters, ['9'], 'TEA and cake')).toEqual([['1', ['TEA'], []]])
  expect(results(filters, ['9'], 'coffee')).toEqual([['2', ['coffee'], []]])
  expect(results(filters, ['9'], 'water')).toEqual([])
})

test('of keywords that begin together the filter says the one found first', () => {
  const filters = [filter('1', { keywords: [['tea', false], ['te', false]] })] // biome-ignore format: rows
  expect(results(filters, [], 'tea')).toEqual([['1', ['te'], []]])
})

test('a filter fits by the status, or by what it boosts', () => {
  const filters = [filter('1', { statuses: ['9', '8'] }), filter('2', { statuses: ['8'], keywords: [['tea', true]] })]
  expect(results(filters, ['9'], 'coffee')).toEqual([['1', [], ['9']]])
  expect(results(filters, ['7', '8'], 'tea')).toEqual([
    ['1', [], ['8']],
    ['2', ['tea'], ['8']],
  ])
  expect(results(filters, ['9', '8'], 'coffee')).toEqual([
    ['1', [], ['9', '8']],
    ['2', [], ['8']],
  ])
})

test('filters come in their order, however they are found', () => {
  const filters = [filter('1', { statuses: ['9'] }), filter('2', { keywords: [['b', true]] }), filter('3', { keywords: [['a', true]] })]
  expect(results(filters, ['9'], 'a b').map(([id]) => id)).toEqual(['1', '2', '3'])
})

test('nothing is read where no keyword is looked for, and filters without parts are none', () => {
  const refuse = () => {
    throw new Error('the text was read')
  }
  expect(compileFilters([filter('1', { statuses: ['9'] })])?.results(['9'], refuse)).toHaveLength(1)
  expect(compileFilters([filter('1')])).toBeUndefined()
})
