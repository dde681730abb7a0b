import { expect, test } from 'vitest'
import type { Login } from '../logins/index.ts'
import {
  ACTS,
  type Act,
  type ActName,
  answersAllReports,
  chosenStatuses,
  isEndName,
  isFitting,
  isOnStatuses,
  onStatuses,
  STRIKES,
  warningOf,
} from './act.rules.ts'

test.each([
  ['approve', { approvedAt: null, suspendedAt: null }, true],
  ['approve', { approvedAt: new Date(), suspendedAt: null }, false],
  ['silence', { approvedAt: new Date(), suspendedAt: null }, true],
  ['reject', { approvedAt: null, suspendedAt: null }, true],
  ['reject', { approvedAt: new Date(), suspendedAt: null }, false],
  ['delete', { approvedAt: new Date(), suspendedAt: new Date() }, true],
  ['delete', { approvedAt: new Date(), suspendedAt: null }, false],
] as const)('%s of %j: %s', (action, login, may) => expect(isFitting(action, login)).toBe(may))

test.each([
  ['delete_statuses', { deletedStatusIds: ['1', '2'], sensitiveStatusIds: [] }],
  ['mark_statuses_as_sensitive', { deletedStatusIds: [], sensitiveStatusIds: ['1', '2'] }],
  ['suspend', { deletedStatusIds: [], sensitiveStatusIds: [] }],
] as const)('%s of statuses asks statuses for %j', (name, request) => {
  expect(onStatuses(ACTS[name], ['1', '2'])).toEqual(request)
  expect(isOnStatuses(name)).toBe(name !== 'suspend')
})

const NOW = new Date(2)
const EARLIER = new Date(1)
const login = { approvedAt: null, disabledAt: null, suspendedAt: null, memorialAt: null } as Login
const marked = { approvedAt: EARLIER, disabledAt: EARLIER, suspendedAt: EARLIER, memorialAt: EARLIER } as Login

test.each<[ActName, Login, object]>([
  ['disable', login, { disabledAt: NOW }],
  ['disable', marked, { disabledAt: EARLIER }],
  ['enable', marked, { disabledAt: null }],
  ['suspend', login, { suspendedAt: NOW }],
  ['suspend', marked, { suspendedAt: EARLIER }],
  ['unsuspend', marked, { suspendedAt: null }],
  ['memorialize', login, { memorialAt: NOW }],
  ['memorialize', marked, { memorialAt: EARLIER }],
  ['unmemorialize', marked, { memorialAt: null }],
  ['approve', login, { approvedAt: NOW }],
])('to %s, once or again, changes a login by its first time: %#', (name, before, change) =>
  expect((ACTS[name] as Act).login?.(before, NOW)).toEqual(change),
)

test.each<[ActName, Act['account']]>([
  ['sensitive', { isSensitized: true }],
  ['unsensitive', { isSensitized: false }],
  ['silence', { isSilenced: true }],
  ['unsilence', { isSilenced: false }],
  ['suspend', { isSuspended: true }],
  ['unsuspend', { isSuspended: false }],
  ['memorialize', { isMemorial: true }],
  ['unmemorialize', { isMemorial: false }],
  ['disable', undefined],
  ['none', undefined],
])('to %s changes the account: %j', (name, account) => expect((ACTS[name] as Act).account).toEqual(account))

const LIMITING: ActName[] = ['sensitive', 'disable', 'silence', 'suspend']

test('acts of staff that limit an account answer all reports on it; those of operators, and others, do not', () => {
  const names = Object.keys(ACTS) as ActName[]
  expect(names.filter((name) => answersAllReports(name, { staffId: '1' }))).toEqual(LIMITING)
  expect(names.filter((name) => answersAllReports(name, {}))).toEqual([])
})

test('strikes are the acts that their account is warned of', () => {
  expect(STRIKES).toEqual(['none', 'delete_statuses', 'mark_statuses_as_sensitive', ...LIMITING])
})

test.each([
  ['none', 'warned'],
  ['delete_statuses', 'statusesDeleted'],
  ['mark_statuses_as_sensitive', 'statusesMarked'],
  ['sensitive', 'sensitized'],
  ['disable', 'disabled'],
  ['silence', 'silenced'],
  ['suspend', 'suspended'],
  ['unsuspend', undefined],
  ['delete', undefined],
  ['constructor', undefined],
])('the mail about the act %s is %s', (name, warning) => expect(warningOf(name)).toBe(warning))

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))

test.each<[string, Act, string[], string[]]>([
  ['each once, without what is no id', ACTS.delete_statuses, ['1', '2', '1', 'x', ''], ['1', '2']],
  ['a hundred', ACTS.delete_statuses, ids(100), ids(100)],
  ['none, where it is on an account', ACTS.suspend, ['1'], []],
])('an act is on the statuses that are chosen: %s', (_which, act, statusIds, chosen) =>
  expect(chosenStatuses(act, statusIds)).toEqual(chosen),
)

test.each([
  ['no status', [], "Status ids can't be blank"],
  ['nothing that is an id', ['x'], "Status ids can't be blank"],
  ['more than a hundred', ids(101), 'Status ids are too many (maximum is 100)'],
])('an act on statuses is refused for %s', (_which, statusIds, fault) =>
  expect(() => chosenStatuses(ACTS.delete_statuses, statusIds)).toThrow(fault),
)

test.each([
  ['reject', true],
  ['delete', true],
  ['suspend', false],
  ['', false],
])('%j ends an account: %s', (name, expected) => expect(isEndName(name)).toBe(expected))
