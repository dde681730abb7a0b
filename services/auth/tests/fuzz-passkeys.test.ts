import { randomBytes } from 'node:crypto'
import { expectLessProcessorTime } from '@rookery/test-cost'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createdAnswer, usedAnswer } from '../src/credentials/passkeys/answer.rules.ts'
import { verifyCreated } from '../src/credentials/passkeys/verify-created.ts'
import { type Harness, openHarness } from './harness.ts'
import { SoftAuthenticator } from './soft-authenticator.ts'

// What browsers send of a passkey they made, as any bytes: it is taken or refused, soon, and never a fault of ours.

const ORIGIN = 'https://here.example'
const HOST = 'here.example'
const challenge = randomBytes(32).toString('base64url')
const made = JSON.parse(new SoftAuthenticator(ORIGIN).create({ challenge, rp: { id: HOST } }))

/** Whether an answer that creates a passkey is taken. */
const add = async (response: object): Promise<boolean> => {
  const answer = createdAnswer(JSON.stringify({ ...made, response: { ...made.response, ...response } }))
  return answer !== undefined && (await verifyCreated({ id: HOST, origin: ORIGIN }, answer, challenge)) !== undefined
}

const object = Buffer.from(made.response.attestationObject, 'base64url')
const cutOrChanged = (bytes: Buffer) =>
  fc
    .tuple(fc.array(fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 })), { maxLength: 4 }), fc.nat({ max: bytes.length }))
    .map(([changes, length]) => {
      const changed = Buffer.from(bytes)
      for (const [at, byte] of changes) changed[at] = byte
      return changed.subarray(0, length < bytes.length / 2 ? bytes.length : length)
    })

it('any answer of an authenticator is read or refused', async () => {
  const bytes = fc.oneof(
    cutOrChanged(object),
    fc.uint8Array({ maxLength: 100 }).map((each) => Buffer.from(each)),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async (each) => {
      expect(await add({ attestationObject: each.toString('base64url') })).toBeTypeOf('boolean')
    }),
    { seed: 20_260_505, numRuns: 500 },
  )
})

/** Whether bytes state the purpose, the challenge and the origin of the browser's own statement. */
const statesTheSame = (bytes: Buffer): boolean => {
  try {
    const { type, challenge: stated, origin } = JSON.parse(bytes.toString())
    return type === 'webauthn.create' && stated === challenge && origin === ORIGIN
  } catch {
    return false
  }
}

it('a statement of a browser of another purpose, challenge or origin is refused, and its own is not', async () => {
  const said = Buffer.from(made.response.clientDataJSON, 'base64url')
  expect(await add({ clientDataJSON: said.toString('base64url') })).toBe(true)
  const others = cutOrChanged(said).filter((each) => !statesTheSame(each))
  await fc.assert(
    fc.asyncProperty(others, async (each) => {
      expect(await add({ clientDataJSON: each.toString('base64url') })).toBe(false)
    }),
    { seed: 20_260_512, numRuns: 200 },
  )
})

it.each<[string, Buffer]>([
  ['arrays within arrays', Buffer.alloc(200_000, 0x81)],
  ['maps within maps', Buffer.alloc(200_000, 0xa1)],
  ['tags of tags', Buffer.alloc(200_000, 0xc1)],
  ['an array of 2^53 items', Buffer.from('9b001fffffffffffff', 'hex')],
  ['a map of 2^32 items', Buffer.from('bbffffffff00000000', 'hex')],
  ['a map of 2^32 items that are there', Buffer.concat([Buffer.from('ba7fffffff', 'hex'), Buffer.alloc(200_000, 0)])],
  ['bytes of 2^63', Buffer.from('5b7fffffffffffffff', 'hex')],
  ['a text of 2^32', Buffer.from('7affffffff', 'hex')],
  ['items without an end', Buffer.alloc(200_000, 0x9f)],
])('%s are refused soon', async (_what, bytes) => {
  const attestationObject = bytes.toString('base64url')
  await expectLessProcessorTime(2000, async () => expect(await add({ attestationObject })).toBe(false))
})

it('any text is an answer or is none', () => {
  const name = fc.constantFrom(
    'id',
    'response',
    'clientDataJSON',
    'attestationObject',
    'authenticatorData',
    'signature',
    'userHandle',
    'transports',
  )
  const inner = fc.dictionary(name, fc.oneof(fc.base64String({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 })), { maxKeys: 6 })
  const text = fc.oneof(
    fc.record({ id: fc.oneof(fc.constant('AQ'), fc.string({ maxLength: 8 })), response: inner }).map((json) => JSON.stringify(json)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  fc.assert(
    fc.property(text, (each) => {
      return [createdAnswer(each), usedAnswer(each)].every((read) => /^[\w-]+$/.test(read?.id ?? 'AQ'))
    }),
    { seed: 20_260_505, numRuns: 500 },
  )
})

describe('on the pages', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await openHarness({ hostname: 'localhost', config: { hasRateLimits: false } })
  })
  afterAll(async () => {
    expect(harness.logged).toEqual([])
    await harness.close()
  })

  const FORM = 'data-passkey'
  const questionOn = ({ text }: { text: string }) =>
    JSON.parse((/data-options="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))

  /** Other bytes than those: cut off, changed, longer, with a length of 2^16 or 2^32 within, or any at all. */
  const othersThan = (bytes: Buffer) =>
    fc
      .oneof(
        cutOrChanged(bytes),
        fc.nat({ max: bytes.length }).map((length) => bytes.subarray(0, length)),
        fc.uint8Array({ minLength: 1, maxLength: 20 }).map((more) => Buffer.concat([bytes, more])),
        fc.nat({ max: bytes.length }).map((at) => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(8, 0xff), bytes.subarray(at)])),
        fc.constant(Buffer.concat([bytes, Buffer.alloc(30_000, 0x81)])),
        fc.uint8Array({ maxLength: 100 }).map((any) => Buffer.from(any)),
      )
      .filter((other) => !other.equals(bytes))

  /** Answers of which one part is other bytes. */
  const brokenAnswers = (text: string, parts: readonly string[]) => {
    const { id, response } = JSON.parse(text)
    const bytesOf = (part: string) => Buffer.from(part === 'id' ? id : response[part], 'base64url')
    // What follows a signature is not read.
    const isOther = (part: string) => (bytes: Buffer) => part !== 'signature' || bytes.indexOf(bytesOf(part)) !== 0
    const changed = (part: string) =>
      othersThan(bytesOf(part))
        .filter(isOther(part))
        .map((bytes) => {
          const written = bytes.toString('base64url')
          return JSON.stringify(part === 'id' ? { id: written, response } : { id, response: { ...response, [part]: written } })
        })
    return fc.oneof(...parts.map(changed))
  }

  const refusedSoon = async (send: () => Promise<{ status: number }>) => {
    await expectLessProcessorTime(2000, async () => {
      const { status } = await send()
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    })
  }

  it('no broken answer signs anyone in, and a whole one does', async () => {
    const { email, password } = await harness.person('mara')
    const browser = harness.browser()
    await browser.submit(await browser.visit('/auth/sign_in'), { email, password })
    const authenticator = new SoftAuthenticator(harness.config.baseUrl)
    const again = await browser.visit('/auth/account/passkeys/new')
    const credential = authenticator.create(questionOn(again))
    expect((await browser.submit(again, { name: 'key', current_password: password, credential }, FORM)).text).toContain('is added')
    const visitor = harness.browser()
    const signIn = await visitor.visit('/auth/sign_in')
    const used = authenticator.use(questionOn(signIn))
    const parts = ['id', 'clientDataJSON', 'authenticatorData', 'signature']
    const letsNoOneIn = fc.asyncProperty(brokenAnswers(used, parts), (each) =>
      refusedSoon(() => visitor.submit(signIn, { credential: each }, FORM)),
    )
    await fc.assert(letsNoOneIn, { seed: 20_260_514, numRuns: 12, endOnFailure: true })
    expect((await visitor.submit(signIn, { credential: used }, FORM)).text).toContain('Signed in as @mara')
  })
})
