import { endpoints } from '@rookery/gateway'
import type { RawAnswer, RawRequest } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BadInputHarness, openBadInput } from './bad-input.ts'
import { fuzz, requestTo, type Target } from './fuzz.ts'

// Random requests to all endpoints of the API: each gets a fast answer of the contract, and leaves nothing behind.

let harness: BadInputHarness
beforeAll(async () => {
  harness = await openBadInput()
})
afterAll(() => harness.close())

const TARGETS: Target[] = endpoints.map(({ method, path, parameters, files }) => ({ method, path, names: [...parameters], files }))
/** Paths besides the endpoints. */
const ELSEWHERE: Target[] = ['/', '/@mara', '/users/:id', '/media/:id', '/api/v1/streaming/health', '/api/v1/tea/:id'].flatMap((path) =>
  ['GET', 'POST', 'DELETE', 'PROPFIND'].map((method) => ({ method, path, names: ['limit', 'stream'] })),
)

/**
 * Accepts answers of the contract: a result, or an error (spec, Errors 5). Without a provider translations answer 503, and an unknown
 * severity is the one fault of a caller for which the contract has 500.
 */
const judge = ({ status, headers, body, text }: RawAnswer, { path }: RawRequest) => {
  const isAllowed = (status === 503 && /\/translate/.test(path)) || (status === 500 && / is not a valid severity"/.test(text))
  expect({ status, text: text.slice(0, 300), isKnown: isAllowed || (status >= 200 && status < 500 && status !== 405) }).toMatchObject({
    isKnown: true,
  })
  expect(text).not.toMatch(/node_modules|at async /)
  if (status >= 400 && String(headers['content-type']).includes('json')) expect(body).toMatchObject({ error: expect.stringMatching(/./) })
}

test('any request to the API is answered by the contract, soon, and leaves nothing behind', async () => {
  const { id } = await harness.mara.says('a post')
  const known = {
    ids: [id, harness.mara.id, harness.joel.id, '1'],
    tokens: [...Array(20).fill(harness.mara.token), undefined, 'none', 'a b'],
  }
  const { sent } = await fuzz(harness, requestTo([...TARGETS, ...ELSEWHERE], known), judge)
  expect(sent).toBeGreaterThan(100)
}, 120_000)
