import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFile } from './file.rules.ts'
import { flagOf, languagesOf, statusIdOf } from './line.rules.ts'

const RUNS = { seed: Number(process.env['FUZZ_SEED'] ?? 20_260_505), numRuns: 3000 }
const BASE_URL = 'https://here.example'
const KINDS = ['following', 'blocks', 'mutes', 'lists', 'bookmarks', 'domain_blocks']
const part = fc.oneof(
  fc.constantFrom(
    '"',
    '""',
    ',',
    '\n',
    '\r\n',
    'Account address',
    'Languages',
    'List name',
    'ann@there.example',
    '#domain',
    '#uri',
    `${BASE_URL}/@ann/1`,
    '\ufeff',
    '\0',
    'true',
  ),
  fc.string({ maxLength: 6 }),
)

it('any file is read as lines that say something', () => {
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), fc.array(part, { maxLength: 30 }), (kind, parts) => {
      const lines = readFile(kind, parts.join(''))
      for (const { cells } of typeof lines === 'string' ? [] : lines) {
        expect(cells.join('')).not.toBe('')
        expect([flagOf(cells[1], true), languagesOf(cells[2])]).toEqual([expect.any(Boolean), expect.any(Array)])
        expect(statusIdOf(cells[0] ?? '', BASE_URL) ?? '1').toMatch(/^\d{1,19}$/)
      }
    }),
    RUNS,
  )
})
