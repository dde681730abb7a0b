import { expect, test } from 'vitest'
import { retryAfter } from './retry-after.rules.ts'

const NOW = Date.parse('2026-11-22T10:00:00Z')

test.each([
  [undefined, 0],
  ['', 0],
  ['120', 120_000],
  ['Sun, 22 Nov 2026 10:01:00 GMT', 60_000],
  ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
  ['Sun, 22 Nov 2026 10:00:01 GMT', 1000],
  ['1234567890', 0],
  ['-5', 0],
  ['tea', 0],
])('%j asks for a wait of %d milliseconds', (header, milliseconds) => expect(retryAfter(header, NOW)).toBe(milliseconds))
