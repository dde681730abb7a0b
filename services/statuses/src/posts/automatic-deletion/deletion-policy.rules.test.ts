import type { DeletionPolicy } from '@rookery/contracts/statuses'
import { expect, test } from 'vitest'
import { checkedPolicy, NO_DELETION } from './deletion-policy.rules.ts'

test.each<[string, Partial<DeletionPolicy>]>([
  ['the policy of those who chose none', {}],
  ['the youngest age', { days: 7 }],
  ['the oldest age', { days: 730 }],
  ['one favourite', { minFavourites: 1 }],
  ['very many boosts', { minBoosts: 1_000_000_000 }],
])('%s can be stored', (_case, more) => {
  const policy = { ...NO_DELETION, ...more }
  expect(checkedPolicy(policy)).toEqual(policy)
})

test.each<[string, Partial<DeletionPolicy>, string]>([
  ['no age', { days: 0 }, 'Days is not included in the list'],
  ['an age between', { days: 31 }, 'Days is not included in the list'],
  ['no favourites', { minFavourites: 0 }, 'Min favourites is invalid'],
  ['fewer boosts than none', { minBoosts: -1 }, 'Min boosts is invalid'],
  ['more than fit', { minBoosts: 1_000_000_001 }, 'Min boosts is invalid'],
  ['two faults', { days: -7, minFavourites: 0 }, 'Days is not included in the list, Min favourites is invalid'],
])('%s is refused: %#', (_case, more, fault) => {
  expect(() => checkedPolicy({ ...NO_DELETION, ...more })).toThrow(fault)
})
