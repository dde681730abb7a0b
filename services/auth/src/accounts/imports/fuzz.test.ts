import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flagOf, languagesOf, linesOf, statusIdOf } from './line.rules.ts'

const RUNS = { seed: Number(process.env['FUZZ_SEED'] ?? 20_260_505), numRuns: 3000 }
const BASE_URL = 'https://here.example'
const part = fc.oneof(
  fc.constantFrom('"', '""', ',', '\n', '\r\n', 'Account address', '#domain', `${BASE_URL}/@ann/1`, '\ufeff', '\0', 'true'),
  fc.string({ maxLength: 6 }),
)

it('any file is read as lines that say something', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      for (const { cells } of linesOf(parts.join(''))) {
        expect(cells.join('')).not.toBe('')
        expect([flagOf(cells[1], true), languagesOf(cells[2])]).toEqual([expect.any(Boolean), expect.any(Array)])
        expect(statusIdOf(cells[0] ?? '', BASE_URL) ?? '1').toMatch(/^\d{1,19}$/)
      }
    }),
    RUNS,
  )
})
