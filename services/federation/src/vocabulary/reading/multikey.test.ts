import { expect, test } from 'vitest'
import { pemOfMultikey } from './multikey.ts'

// The example key of FEP-521a and of Data Integrity EdDSA Cryptosuites v1.0.
const KEY = 'z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2'

test('an Ed25519 Multikey is read', () => {
  expect(pemOfMultikey(KEY)).toMatch(/^-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA[\w+/]{43}=\n-----END PUBLIC KEY-----\n$/)
})

test.each([
  ['in another base', `m${KEY.slice(1)}`],
  ['with a letter that base58 lacks', `${KEY.slice(0, -1)}0`],
  ['that is too short', KEY.slice(0, -1)],
  ['of another kind', 'zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme'],
  ['that never ends', `z${'6'.repeat(100_000)}`],
  ['of nothing', 'z'],
  ['that is no text', 7],
])('a key %s is none', (_what, multibase) => expect(pemOfMultikey(multibase)).toBe(''))
