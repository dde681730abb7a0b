import { decrypt, deriveKey, encrypt } from '@rookery/encryption'
import { expect, test } from 'vitest'

const key = deriveKey('a secret', 'a test')

test('what was encrypted, in one part or several, is decrypted with the same key', () => {
  for (const parts of [['hello'], ['hel', Buffer.from('lo')], ['', 'hello', '']])
    expect(decrypt(key, encrypt(key, ...parts)).toString()).toBe('hello')
  expect(decrypt(key, encrypt(key, '')).length).toBe(0)
})

test('the same text is encrypted to other bytes each time, none of which are its own', () => {
  const [one, other] = [encrypt(key, 'a long enough text'), encrypt(key, 'a long enough text')]
  expect(one.equals(other)).toBe(false)
  expect(one.includes('long enough')).toBe(false)
})

test.each([
  ['another secret', deriveKey('another secret', 'a test')],
  ['another purpose', deriveKey('a secret', 'another test')],
])('the key of %s decrypts nothing', (_whose, other) => expect(() => decrypt(other, encrypt(key, 'hello'))).toThrow())

test('changed and cut bytes are refused', () => {
  const bytes = encrypt(key, 'hello')
  for (let place = 0; place < bytes.length; place++) {
    const changed = Buffer.from(bytes)
    changed[place]! ^= 1
    expect(() => decrypt(key, changed), `byte ${place}`).toThrow()
  }
  for (let length = 0; length < bytes.length; length++) expect(() => decrypt(key, bytes.subarray(0, length)), `${length} bytes`).toThrow()
})
