import { expect, test } from 'vitest'
import { Failure, invalid, notAllowed, notFound, orNotFound, unavailable } from '../src/index.ts'

test('a missing record and another’s private one look alike', () => {
  const missing = notFound()
  const hidden = notFound('poll 7 belongs to ann')
  expect([missing.kind, missing.message]).toEqual([hidden.kind, hidden.message])
  expect(missing).toMatchObject({ kind: 'not_found', message: 'Record not found' })
  expect(JSON.stringify(hidden)).not.toContain('ann')
})

test('orNotFound lets every value through but null and undefined', () => {
  expect([0, '', false].map((value) => orNotFound(value))).toEqual([0, '', false])
  for (const value of [null, undefined]) expect(() => orNotFound(value)).toThrow(Failure)
})

test('the texts are those of the contract', () => {
  expect(invalid('Text can’t be blank', 'Poll is closed').message).toBe('Validation failed: Text can’t be blank, Poll is closed')
  expect(notAllowed()).toMatchObject({ kind: 'forbidden', message: 'This action is not allowed' })
  expect(unavailable('the brokers')).toMatchObject({ kind: 'unavailable', message: 'Service Unavailable', cause: 'the brokers' })
})
