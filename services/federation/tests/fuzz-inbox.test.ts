import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWire, type WireHarness } from './wire-harness.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_505)
const RUNS = 150

let harness: WireHarness
beforeAll(async () => {
  harness = await openWire({ RATE_LIMITS: 'off' })
})
afterAll(() => harness.close())

/** Statuses that an inbox may answer to a stranger; never a server error. */
const ANSWERS = [202, 400, 401, 403, 422]

it('answers whatever is sent to an inbox, signed or not, without a fault', async () => {
  const ann = harness.stranger('fuzz.example', 'ann')
  const word = fc.constantFrom('id', 'type', 'actor', 'object', 'to', '@context', ann.uri, `${ann.origin}/1`, 'Create', 'Delete', '')
  const value = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.dictionary(word, fc.oneof(word, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 8 }))
  await fc.assert(
    fc.asyncProperty(value, fc.boolean(), fc.string({ maxLength: 60 }), async (activity, isSigned, header) => {
      const body = Buffer.from(JSON.stringify(activity))
      const url = 'http://here.example/inbox'
      // HTTP headers must be printable ASCII.
      const text = header.replace(/[^\x20-\x7e]/g, '')
      const forged = { 'Content-Type': 'application/activity+json', Signature: text, 'Signature-Input': text }
      const headers = isSigned ? ann.signed(url, body, { now: harness.clock.time }) : forged
      const { status } = await harness.ask('POST', '/inbox', headers, body)
      expect(ANSWERS).toContain(status)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  await harness.due()
  const { rows } = await harness.database.pool.query('select 1 from received_activity where failed_at is not null')
  expect(rows).toEqual([])
})

it('answers whatever is asked for without a fault', async () => {
  const part = fc.constantFrom(
    'users',
    'mara',
    'inbox',
    'actor',
    'statuses',
    '1',
    'outbox',
    '..',
    '%00',
    '%',
    '%2e%2e',
    'é',
    '?page=1&max_id=x',
    '',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE'), async (parts, method) => {
      const path = encodeURI(`/${parts.join('/')}`).replaceAll('%25', '%')
      const { status } = await harness.ask(method, path, { Accept: 'application/activity+json' })
      expect([200, 400, 401, 404]).toContain(status)
    }),
    { seed: SEED, numRuns: RUNS },
  )
})
