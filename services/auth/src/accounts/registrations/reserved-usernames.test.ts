import { expect, test } from 'vitest'
import { isReserved } from './reserved-usernames.ts'

test.each(['admin', 'Root', 'nobody', 'no_reply', 'postmaster'])('%s is reserved', (name) => {
  expect(isReserved(name)).toBe(true)
})

test.each(['no', 'one', 'mara', 'administrators_wife', ''])('%j is free', (name) => {
  expect(isReserved(name)).toBe(false)
})
