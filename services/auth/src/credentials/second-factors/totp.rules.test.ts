import { expect, it } from 'vitest'
import { fromBase32, toBase32 } from './base32.ts'
import { codeOf, stepAt, stepOf, uriOf } from './totp.rules.ts'

/** RFC 6238, appendix B: SHA-1, its last six digits. */
const SECRET = Buffer.from('12345678901234567890')

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('computes the code of second %d as RFC 6238 does', (second, code) => {
  expect(codeOf(SECRET, stepAt(second * 1000))).toBe(code)
})

const NOW = 1_111_111_111_000
const PRESENT = stepAt(NOW)

it.each([
  ['the present code', PRESENT, -1, PRESENT],
  ['the code before, of a slow typist', PRESENT - 1, -1, PRESENT - 1],
  ['the next code, of a fast clock', PRESENT + 1, -1, PRESENT + 1],
  ['a code from a minute ago', PRESENT - 2, -1, undefined],
  ['a code of the future', PRESENT + 2, -1, undefined],
  ['a code that was taken', PRESENT, PRESENT, undefined],
  ['the code before one that was taken', PRESENT - 1, PRESENT, undefined],
  ['the code after one that was taken', PRESENT + 1, PRESENT, PRESENT + 1],
])('takes, or not, %s', (_what, step, after, taken) => {
  expect(stepOf(SECRET, codeOf(SECRET, step), { now: NOW, after })).toBe(taken)
})

it.each(['', '28708', '2870822', '287 082', '28708é', 'ABCDE-FGHIJ', '9'.repeat(60)])('takes %j for no code', (typed) => {
  expect(stepOf(SECRET, typed, { now: 59_000, after: -1 })).toBeUndefined()
})

it.each([
  ['', ''],
  ['f', 'MY'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('writes %j in base32 as RFC 4648 does, and reads it however it was typed', (text, written) => {
  expect(toBase32(Buffer.from(text))).toBe(written)
  expect(fromBase32(written.toLowerCase().replace(/.{3}/g, '$& ')).toString()).toBe(text)
})

it('names the server and the account in the address of the secret', () => {
  expect(uriOf({ secret: 'ABC', host: 'tea.example:3000', account: 'mara' })).toBe(
    'otpauth://totp/tea.example%3A3000:mara?secret=ABC&issuer=tea.example%3A3000',
  )
})
