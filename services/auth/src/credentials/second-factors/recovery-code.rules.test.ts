import { expect, it } from 'vitest'
import { makeRecoveryCodes, normalRecoveryCode } from './recovery-code.rules.ts'

it('makes ten recovery codes of 80 bits, which may be typed with or without hyphens', () => {
  const codes = makeRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  expect(normalRecoveryCode(' ABCD efgh-2345ijkl ')).toBe(normalRecoveryCode('abcd-efgh-2345-ijkl'))
})
