import { encryption } from '@rookery/encryption'
import { expect, test } from 'vitest'

test('what one key encrypted is read with it, also behind a newer one, and by no other key or purpose', () => {
  const bytes = encryption(['old'], 'tea').encrypt('milk')
  expect(bytes.toString('latin1')).not.toContain('milk')
  expect(encryption(['new', 'old'], 'tea').decrypt(bytes)).toBe('milk')
  expect(encryption(['new'], 'tea').decrypt(bytes)).toBeUndefined()
  expect(encryption(['old'], 'coffee').decrypt(bytes)).toBeUndefined()
})

test('what was changed or cut is not read', () => {
  const { encrypt, decrypt } = encryption(['key'], 'tea')
  const bytes = encrypt('milk')
  const changed = Buffer.from(bytes)
  changed[14]! ^= 1
  for (const wrong of [changed, bytes.subarray(0, -1), Buffer.alloc(0), Buffer.alloc(28)]) expect(decrypt(wrong)).toBeUndefined()
})
