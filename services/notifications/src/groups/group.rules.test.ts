import { StatusPage } from '@rookery/contracts/statuses'
import { expect, test } from 'vitest'
import { aboutsOf, type GroupRow, groupKeyIn, groupOf, visibleGroups, withinPage } from './group.rules.ts'

const row = (given: Partial<GroupRow> = {}): GroupRow => ({
  id: '9',
  key: 'favourite-7-1',
  type: 'favourite',
  statusId: '7',
  reportId: null,
  count: '3',
  latestAt: new Date(5),
  accountIds: ['mara', 'joel'],
  pageMinId: '4',
  ...given,
})
const hydrated = (accountIds: string[], statusIds: string[]) => ({
  accounts: accountIds.map((id) => ({ id, version: 1, body: Buffer.alloc(0) })),
  statuses: StatusPage.fromPartial({ items: statusIds.map((id) => ({ id })) }),
  reports: { reports: [], accounts: [] },
})

test.each([
  ['favourite-7-1', { groupKey: 'favourite-7-1' }],
  ['ungrouped-7', { id: '7' }],
  ['ungrouped-', undefined],
  ['ungrouped-7x', undefined],
  ['', undefined],
  ['a'.repeat(101), undefined],
])('the key %s names %j', (text, key) => expect(groupKeyIn(text)).toEqual(key))

test.each([
  ['all of it', ['mara', 'joel'], ['7'], ['mara', 'joel']],
  ['one of its accounts', ['joel'], ['7'], ['joel']],
  ['none of its accounts', [], ['7'], undefined],
  ['not its status', ['mara', 'joel'], [], undefined],
])('of a group whose viewer may see %s', (_case, accounts, statuses, shown) => {
  expect(visibleGroups([row()], hydrated(accounts, statuses)).map(({ accountIds }) => accountIds)).toEqual(shown ? [shown] : [])
})

test('an entry of a page begins within it', () => {
  expect(withinPage([row(), row({ pageMinId: '12' })], '10').map(({ pageMinId }) => pageMinId)).toEqual(['10', '12'])
})

test('a group refers to each sampled account with its status, and is passed on with numbers as numbers', () => {
  expect(aboutsOf(row())).toEqual(['mara', 'joel'].map((actorId) => ({ actorId, statusId: '7', reportId: null, type: 'favourite' })))
  expect(groupOf(row(), new Map())).toEqual({
    key: 'favourite-7-1',
    type: 'favourite',
    count: 3,
    latestId: '9',
    latestAtMilliseconds: 5,
    pageMinId: '4',
    sampleAccountIds: ['mara', 'joel'],
    statusId: '7',
    reportId: undefined,
  })
})
