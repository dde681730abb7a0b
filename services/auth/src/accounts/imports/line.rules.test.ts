import { describe, expect, it } from 'vitest'
import { flagOf, linesOf, MAX_LINES, statusIdOf } from './line.rules.ts'

describe('a file', () => {
  it.each([
    ['\uFEFFAccount address,Show boosts\nmara@x,true\n\n', [{ line: 2, cells: ['mara@x', 'true'] }]],
    [
      'mara@x\n\njoel@x\n',
      [
        { line: 1, cells: ['mara@x'] },
        { line: 3, cells: ['joel@x'] },
      ],
    ],
    ['#domain\nbad.example\n', [{ line: 2, cells: ['bad.example'] }]],
    [' mara@x , true ', [{ line: 1, cells: ['mara@x', 'true'] }]],
  ])('%j says this', (text, lines) => expect(linesOf(text)).toEqual(lines))

  it.each([
    ['', MAX_LINES + 1],
    ['#address\n', MAX_LINES + 1],
  ])('%j and too many lines are read as one too many', (names, count) =>
    expect(linesOf(names + 'a\n'.repeat(3 * MAX_LINES))).toHaveLength(count),
  )
})

it.each([
  ['true', false, true],
  ['FALSE', true, false],
  ['0', true, false],
  ['', true, true],
  [undefined, false, false],
])('%j, usually %j, is %j', (cell, usual, flag) => expect(flagOf(cell, usual)).toBe(flag))

it.each([
  ['https://x.example/users/mara/statuses/7', '7'],
  ['https://x.example/@mara/7', '7'],
  ['https://x.example.evil/@mara/7', undefined],
  ['https://y.example/@mara/7', undefined],
  ['https://x.example/@mara/7/x', undefined],
  ['tea', undefined],
])('%s names status %j', (address, id) => expect(statusIdOf(address, 'https://x.example')).toBe(id))
