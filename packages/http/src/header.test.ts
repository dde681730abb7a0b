import { expectLessProcessorTime } from '@rookery/test-cost'
import { expect, test } from 'vitest'
import { parseHeader } from './header.ts'

test.each([
  ['blanks before nothing', `text/html;a=${' '.repeat(16_000)}x y`],
  ['blanks before a value in quotes', `text/html;a=${' '.repeat(8000)}"x"${' '.repeat(8000)}y`],
  ['blanks before a name', `text/html;${' '.repeat(16_000)}=`],
  ['a value in quotes without an end', `text/html;a="${'\\'.repeat(16_000)}`],
  ['many parameters', `text/html${';a=b'.repeat(4000)}`],
])('a header of 16 KB is read soon: %s', async (_what, header) => {
  await expectLessProcessorTime(250, () => {
    for (let times = 0; times < 5; times++) expect(parseHeader(header).value).toBe('text/html')
  })
})

test('blanks around a parameter are no part of it', () => {
  const { parameters } = parseHeader('form-data ; name = "a b" ;\tfilename=\tc.png ; x=')
  expect([...parameters]).toEqual([
    ['name', 'a b'],
    ['filename', 'c.png'],
    ['x', ''],
  ])
})
