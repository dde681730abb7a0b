import { expect, test } from 'vitest'
import { ACTS, warningOf } from './act.rules.ts'
import { faultOfAppeal, isOpenToAppeal, REVERSALS } from './appeal.rules.ts'

const DAY = 86_400_000
const act = { createdAt: new Date(0), isTakenBack: false, appeal: undefined }

test('an act may be appealed once, for twenty days, while it stands', () => {
  expect(isOpenToAppeal(act, 20 * DAY - 1)).toBe(true)
  expect(isOpenToAppeal(act, 20 * DAY)).toBe(false)
  expect(isOpenToAppeal({ ...act, isTakenBack: true }, 1)).toBe(false)
  expect(isOpenToAppeal({ ...act, appeal: {} }, 1)).toBe(false)
})

test('an appeal has 1 to 2000 characters', () => {
  expect(faultOfAppeal('')).toBe('ERR_BLANK')
  expect(faultOfAppeal('🫖'.repeat(2000))).toBeUndefined()
  expect(faultOfAppeal('a'.repeat(2001))).toBe('ERR_TOO_LONG')
})

test('an approved appeal undoes what the act did to the account', () => {
  for (const [name, reverse] of Object.entries(REVERSALS)) {
    expect(warningOf(name)).toBeDefined()
    expect(Object.keys(ACTS)).toContain(reverse)
    expect(reverse).toBe(name === 'disable' ? 'enable' : `un${name}`)
  }
})
