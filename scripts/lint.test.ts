import { expect, test } from 'vitest'
import { summaryOf } from './lint.ts'

const warning = (size: number) => ({
  severity: 'warning',
  message: `This function has too many lines (${size}).`,
  location: { path: `f${size}.ts`, start: { line: 3 } },
})

test('says nothing when there is no warning', () => {
  expect(summaryOf([])).toEqual([])
})

test('gives the number of warnings and names the ten largest', () => {
  const lines = summaryOf(Array.from({ length: 12 }, (_, index) => warning(41 + index)))
  expect(lines).toHaveLength(11)
  expect(lines[0]).toBe('12 warnings, the largest first:')
  expect(lines[1]).toBe('  f52.ts:3 This function has too many lines (52).')
  expect(lines.at(-1)).toContain('f43.ts')
})
