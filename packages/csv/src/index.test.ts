import { expectLessProcessorTime } from '@rookery/test-cost'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine, csvLines, csvRows } from './index.ts'

const RUNS = { seed: Number(process.env['FUZZ_SEED'] ?? 20_260_505), numRuns: 3000 }
const cell = fc.oneof(fc.constantFrom('"', '""', ',', '\n', '\r\n', '\r', '\uFEFF', '\0', ' ', ' "', '" '), fc.string({ maxLength: 6 }))
const file = fc.array(cell, { maxLength: 30 }).map((parts) => parts.join(''))

describe('the rows of', () => {
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
    ['a\rb', [['a'], ['b']]],
    ['\uFEFFa', [['a']]],
    ['a\n\n\r\n,\n , \nb', [['a'], ['b']]],
    ['"a, ""b""\nc",d\n', [['a, "b"\nc', 'd']]],
    [' "a" , b ', [['a', 'b']]],
    ['a"b,c', [['a"b', 'c']]],
    ['"a" ,b\nc', [['a', 'b'], ['c']]],
    ['"a" x,b\nc', [['"a" x', 'b'], ['c']]],
    ['"open,b\nc\n', [['"open', 'b'], ['c']]],
    ['a\n"open "" and more\nb,c', [['a'], ['"open "" and more'], ['b', 'c']]],
    ['"', [['"']]],
    ['a\0b,c', [['a\uFFFDb', 'c']]],
    ['""', []],
    [`${'a,'.repeat(70)}\nb`, [Array.from({ length: 64 }, () => 'a'), ['b']]],
  ])('%j are %j', (text, rows) => expect([...csvRows(text)]).toEqual(rows))

  it.each([
    ['a\nb', [1, 2]],
    ['\uFEFF\r\n\r\na\r\n\r\nb\r\n', [3, 5]],
    ['a\rb', [1, 2]],
    ['a\n,\n , \nb\n\n', [1, 4]],
    ['"a\nb\r\nc",d\ne', [1, 4]],
  ])('%j stand on the lines that an editor shows: %j', (text, lines) => {
    const rows = [...csvLines(text)]
    expect(rows.map(({ line }) => line)).toEqual(lines)
    expect(rows.map(({ cells }) => cells)).toEqual([...csvRows(text)])
  })

  it('any file say something, and are no more than its lines', () => {
    fc.assert(
      fc.property(file, (text) => {
        const rows = [...csvRows(text)]
        for (const row of rows) expect(row.join('')).not.toBe('')
        expect(rows.length).toBeLessThanOrEqual(text.split(/\r\n|\r|\n/).length)
      }),
      RUNS,
    )
  })

  it('what was written are what was said', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (rows) => {
        const trimmed = rows.map((row) => row.map((each) => each.replaceAll('\0', '\uFFFD').trim()))
        expect([...csvRows(`\uFEFF${rows.map(csvLine).join('')}`)]).toEqual(trimmed.filter((row) => row.some(Boolean)))
      }),
      RUNS,
    )
  })

  it.each(['"', '""', '"a""', '",', '"\n', '"",', '"""\n', '"a\n', '""a\n', '"""a\n', '"a"x\n', ',', '\r', '\n', ' ', ' \n', 'a\n'])(
    'a megabyte of %j come in time',
    async (part) => {
      const file = part.repeat(Math.ceil(1_000_000 / part.length))
      await expectLessProcessorTime(5000, () => {
        for (const _row of csvRows(file));
      })
    },
  )
})

it.each([
  [['mara@birds.example', 'true', 'false', ''], 'mara@birds.example,true,false,\n'],
  [['Tea, and cake', 'a"b', 'two\nlines', ' room'], '"Tea, and cake","a""b","two\nlines"," room"\n'],
  [[], '\n'],
])('%j is written as other programs read it', (cells, line) => expect(csvLine(cells)).toBe(line))
