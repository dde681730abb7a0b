import { expect, test } from 'vitest'
import { ACTS, isFitting, isOnStatuses, onStatuses } from './act.rules.ts'

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
