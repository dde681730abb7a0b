import { expectLessProcessorTime } from '@rookery/test-cost'
import { describe, expect, it } from 'vitest'
import { countCharacters, mentionsIn, renderStatus, tokenize } from './index.ts'

const place = { baseUrl: 'https://rookery.example', domain: 'rookery.example', mentions: new Map([['a', { username: 'a' }]]) }

const UNITS: [name: string, unit: string][] = [
  ['mentions run together', '@a@a@a'],
  ['mentions', '@a '],
  ['mentions that go on with dots', '@a.'],
  ['signs', '#'],
  ['hashtags', '#a·'],
  ['tags of digits', '#1_'],
  ['separators', '·'],
  ['combining marks', '\u0301'],
  ['schemes', 'http://'],
  ['hosts', 'http://a.'],
  ['URLs in a URL', 'http://a.b/'],
  ['URLs behind opening brackets', `${'http://a.b/('.repeat(300)} `],
  ['URLs behind closing brackets', `${'http://a.b/)'.repeat(300)} `],
  ['brackets', '('],
  ['angle brackets', '<'],
  ['lines', '\n'],
  ['families', '👨‍👩‍👧'],
  ['lone surrogates', '\ud800'],
]

const repeated = (unit: string) => unit.repeat(Math.ceil(500_000 / unit.length))

describe('500,000 hostile characters', () => {
  // It takes a tenth of the limit; anything quadratic takes minutes.
  it.each(UNITS)('%s take time in proportion', async (_, unit) => {
    const texts = [repeated(unit), `http://a.b/${repeated(unit)}`]
    await expectLessProcessorTime(5000, () => {
      for (const text of texts) {
        tokenize(text)
        countCharacters(text)
        mentionsIn(text)
        renderStatus(text, place)
      }
    })
  })

  it.each([
    ['@a@a@a', 2],
    ['@a@a@a ', 2 * 71_429],
    ['http://', 1],
    ['http://a.b/', 1],
    ['(', 1],
    ['#', 1],
  ])('of %j make %d tokens', (unit, count) => expect(tokenize(repeated(unit))).toHaveLength(count))
})
