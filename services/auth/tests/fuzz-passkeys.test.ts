import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addPasskey } from '../src/credentials/passkeys/add-passkey.ts'
import { createdAnswer, usedAnswer } from '../src/credentials/passkeys/answer.rules.ts'
import { SoftAuthenticator } from './soft-authenticator.ts'

// What browsers send of a passkey they made, as any bytes: it is taken or refused, soon, and never a fault of ours.

const ORIGIN = 'https://here.example'
const HOST = 'here.example'
const challenge = randomBytes(32).toString('base64url')
const made = JSON.parse(new SoftAuthenticator(ORIGIN).create({ challenge, rp: { id: HOST } }))

/** Adds a passkey for someone who is no longer there: all that is said of it is read before. */
const add = async (response: object): Promise<boolean> => {
  const answer = createdAnswer(JSON.stringify({ ...made, response: { ...made.response, ...response } }))
  if (!answer) return false
  const logins = { find: async () => undefined }
  const given = { answer, challenge: { text: challenge, expiresAt: new Date() }, name: 'phone' }
  return addPasskey({ relyingParty: { id: HOST, origin: ORIGIN }, logins } as never)('1', given)
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
      expect(await add({ attestationObject: each.toString('base64url') })).toBe(false)
    }),
    { seed: 20_260_505, numRuns: 500 },
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
  const begun = process.cpuUsage()
  expect(await add({ attestationObject: bytes.toString('base64url') })).toBe(false)
  expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000)
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
    fc.string({ unit: 'binary', maxLength: 40 }),
  )
  fc.assert(
    fc.property(text, (each) => {
      for (const read of [createdAnswer(each), usedAnswer(each)]) expect(read?.id ?? 'AQ').toMatch(/^[\w-]+$/)
    }),
    { seed: 20_260_505, numRuns: 500 },
  )
})
