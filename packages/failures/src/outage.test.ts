import { expect, test } from 'vitest'
import { isOutage } from './index.ts'

test.each([
  { code: '57P01', message: 'terminating connection due to administrator command' },
  { code: '57P03', message: 'the database system is starting up' },
  { code: '08006', message: 'connection failure' },
  { code: '53300', message: 'too many clients' },
  { code: '53100', message: 'could not extend file: No space left on device' },
  { code: '25006', message: 'cannot execute INSERT in a read-only transaction' },
  { code: '58030', message: 'could not write block 3: Input/output error' },
  { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
  { code: 'ENOENT', message: 'connect ENOENT /socket' },
  { code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND postgres' },
  { code: 'EAI_AGAIN', message: 'getaddrinfo EAI_AGAIN postgres' },
  { code: 'EHOSTUNREACH', message: 'connect EHOSTUNREACH' },
  { code: 'ENETUNREACH', message: 'connect ENETUNREACH' },
  { code: 'ENETDOWN', message: 'connect ENETDOWN' },
  { code: 'ENOSPC', message: 'no space left on device, write' },
  { code: 'EROFS', message: 'read-only file system, open' },
  { code: 'EMFILE', message: 'too many open files, open' },
  { message: 'Connection terminated unexpectedly' },
  { message: 'timeout exceeded when trying to connect' },
])('$code $message is an outage', (fields) => {
  expect(isOutage(Object.assign(new Error(fields.message), fields))).toBe(true)
})

test.each([
  [Object.assign(new Error('duplicate key'), { code: '23505' })],
  [Object.assign(new Error('syntax error'), { code: '42601' })],
  [new Error('undefined is not a function')],
  [undefined],
  ['ECONNREFUSED'],
])('%s is none', (error) => {
  expect(isOutage(error)).toBe(false)
})
