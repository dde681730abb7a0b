import { describe, expect, it } from 'vitest'
import { csvLine } from '../exports/index.ts'
import { flagOf, linesOf, parseCsv, statusIdOf } from './line.rules.ts'

describe('a file', () => {
  it.each([
    ['', []],
    ['a,b\nc', [['a', 'b'], ['c']]],
    [
      'a,b\r\nc,\r\n',
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    ['"a, ""b""\nc",d\n', [['a, "b"\nc', 'd']]],
    ['a"b,c', [['a"b', 'c']]],
    ['"open\n,', [['open\n,']]],
  ])('%j has these rows', (text, rows) => expect(parseCsv(text)).toEqual(rows))

  it('is read as it was written', () => {
    const rows = [
      ['Tea, and "cake"', 'mara@birds.example'],
      [' ', 'two\nlines'],
      ['', ''],
    ]
    expect(parseCsv(rows.map(csvLine).join(''))).toEqual(rows)
  })

  it.each([
    ['\uFEFFAccount address,Show boosts\nmara@x,true\n\n', [['mara@x', 'true']]],
    ['mara@x\njoel@x\n', [['mara@x'], ['joel@x']]],
    ['#domain\nbad.example\n', [['bad.example']]],
    [' mara@x , true ', [['mara@x', 'true']]],
  ])('%j says this', (text, lines) => expect(linesOf(text)).toEqual(lines))
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
