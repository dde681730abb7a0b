import { multipart, send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BadInputHarness, MAX_CPU, openBadInput } from './bad-input.ts'

// Invalid forms of auth.

let harness: BadInputHarness
beforeAll(async () => {
  harness = await openBadInput()
})
afterAll(() => harness.close())

const whole = multipart([
  { name: 'grant_type', value: 'client_credentials' },
  { name: 'file', value: Buffer.alloc(500), file: 'a.csv', type: 'text/csv' },
])
const partHead = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n'
const b = { 'content-type': 'multipart/form-data; boundary=b' }

const BROKEN = [
  { breaks: 'inside a file', body: whole.body.subarray(0, 300), headers: whole.headers },
  { breaks: 'after a file', body: whole.body.subarray(0, whole.body.length - 4), headers: whole.headers },
  { breaks: 'inside the headers of a part', body: Buffer.from(partHead), headers: b },
  { breaks: 'at a header that is none', body: Buffer.from(`${partHead}\0: x\r\n\r\nx\r\n--b--`), headers: b },
  { breaks: 'before its first part', body: Buffer.from('nothing of the kind'), headers: b },
]

const ROUTES = [
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/authorize',
  '/auth/sign_in',
  '/auth/sign_up',
  '/auth/confirmation',
  '/auth/password',
]

describe('a multipart form that breaks off', () => {
  const cases = ROUTES.flatMap((route) => BROKEN.map((broken) => ({ route, ...broken })))
  test.each(cases)('$breaks is refused by $route', async ({ route, body, headers }) => {
    const answer = await send(harness.world.origin, { method: 'POST', path: route, headers, body })
    expect([400, 403, 404]).toContain(answer.status)
    expect(answer.cpuMilliseconds).toBeLessThan(MAX_CPU)
    expect((await send(harness.world.origin, { path: '/api/v1/instance' })).status).toBe(200)
  })
})

test('a file field left empty is no parameter', async () => {
  const form = multipart([
    { name: 'client_id', value: 'x' },
    { name: 'client_secret', value: '', file: '', type: 'application/octet-stream' },
  ])
  const answer = await send(harness.world.origin, { method: 'POST', path: '/oauth/token', ...form })
  expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
})
