import { expectLessProcessorTime, processorTimeOf } from '@rookery/test-cost'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText } from './folded-text.ts'
import { type Keyword, keywordScanner } from './keyword-scanner.ts'

const keywordsOf = (keywords: readonly string[], wholeWord: boolean): Keyword[] => keywords.map((keyword) => ({ keyword, wholeWord }))

/** The match of one keyword in a text. */
const found = (keyword: string, text: string, wholeWord: boolean) => {
  const [occurrence] = keywordScanner([{ keyword, wholeWord }]).scan(foldText(text))
  return occurrence && text.slice(occurrence.start, occurrence.end)
}

test.each([
  ['tea', 'the tea is ready', 'tea'],
  ['tea', 'TEA!', 'TEA'],
  ['Tea', 'steam tea', 'tea'],
  ['tea', 'steam', undefined],
  ['tea', 'tea', 'tea'],
  ['tea', 'tea_time', undefined],
  ['tea', 'tea2', undefined],
  ['tea', 'tea-time', 'tea'],
  ['green tea', 'Green Tea, please', 'Green Tea'],
  ['green tea', 'evergreen tea', undefined],
  ['#tea', 'the #tea tag', '#tea'],
  ['#tea', 'x#tea', '#tea'],
  ['#tea', '#teas', undefined],
  ['tea!', 'tea!time', 'tea!'],
  [':)', 'so:)so', ':)'],
  ['c++', 'I like C++11', 'C++'],
  ['.*', 'a .* b', '.*'],
  ['(a+)+$', 'aaaa (A+)+$', '(A+)+$'],
  ['чай', 'ЧАЙ готов', 'ЧАЙ'],
  ['чай', 'чайник', undefined],
  ['été', 'l’ÉTÉ', 'ÉTÉ'],
  ['straße', 'die STRASSE', 'STRASSE'],
  ['strasse', 'die Straße', 'Straße'],
  ['σας', 'ΣΑΣ', 'ΣΑΣ'],
  ['お茶', 'お茶 です', 'お茶'],
  ['お茶', 'お茶です', undefined],
  ['𝐭𝐞𝐚', 'so 𝐭𝐞𝐚!', '𝐭𝐞𝐚'],
  ['tea', '𝐭tea', undefined],
  ['🍵', 'tea🍵time', '🍵'],
  ['naïve', 'nai\u0308ve', undefined],
  ['e', 'e\u0301', undefined],
  ['tea', '', undefined],
])('the whole word %j in %j is %j', (keyword, text, expected) => expect(found(keyword, text, true)).toBe(expected))

test.each([
  ['tea', 'steam', 'tea'],
  ['tea', 'STEAM', 'TEA'],
  ['n t', 'green tea', 'n t'],
  ['茶で', 'お茶です', '茶で'],
  ['ss', 'Straße', 'ß'],
  ['a', 'bcd', undefined],
])('the part of a word %j in %j is %j', (keyword, text, expected) => expect(found(keyword, text, false)).toBe(expected))

test('many keywords are found at once, each once, where it ends first', () => {
  const keywords = [...keywordsOf(['he', 'she', 'his', 'hers', 'her'], false), ...keywordsOf(['she', 'ushers'], true)]
  const occurrences = keywordScanner(keywords).scan(foldText('ushers; she'))
  expect(occurrences.map(({ index, start, end }) => [index, start, end]).sort()).toEqual([
    [0, 2, 4],
    [1, 1, 4],
    [3, 2, 6],
    [4, 2, 5],
    [5, 8, 11],
    [6, 0, 6],
  ])
})

const WORD = /^[\p{L}\p{M}\p{Nd}\p{Pc}]$/u
/** A naive search, for texts of one code unit a character. */
const plainly = ({ keyword, wholeWord }: Keyword, text: string): number => {
  const [wanted, lower] = [keyword.toLowerCase(), text.toLowerCase()]
  const isBoundary = (at: number) => WORD.test(lower[at - 1] ?? ' ') !== WORD.test(lower[at] ?? ' ')
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    const isFree = (!WORD.test(wanted[0]!) || isBoundary(at)) && (!WORD.test(wanted.at(-1)!) || isBoundary(end))
    if (!wholeWord || isFree) return at
  }
  return -1
}

test('finds what the plain way finds, regardless of the keywords and the text', () => {
  const letters = fc.constantFrom('a', 'b', 'A', 'é', ' ', '#', '-', '_')
  const keyword = fc.record({ keyword: fc.string({ unit: letters, minLength: 1, maxLength: 4 }), wholeWord: fc.boolean() })
  fc.assert(
    fc.property(fc.array(keyword, { maxLength: 12 }), fc.string({ unit: letters, maxLength: 40 }), (keywords, text) => {
      const places = new Map(
        keywordScanner(keywords)
          .scan(foldText(text))
          .map(({ index, start }) => [index, start]),
      )
      expect(keywords.map((each, index) => [each, places.get(index) ?? -1])).toEqual(keywords.map((each) => [each, plainly(each, text)]))
    }),
    { numRuns: 500 },
  )
})

describe('time is in proportion to the text', () => {
  const nested = (letter: string) => Array.from({ length: 300 }, (_, index) => letter.repeat(index + 1))
  const HOSTILE: [name: string, keywords: Keyword[], unit: string][] = [
    ['keywords that are all ends of each other', keywordsOf(nested('a'), false), 'a'],
    ['whole words that never end', keywordsOf(nested('a'), true), 'a'],
    ['keywords that almost fit everywhere', keywordsOf([`${'a'.repeat(500)}b`], false), 'a'],
    ['a pattern that makes regular expressions backtrack', keywordsOf(['(a+)+$', '(a|a)*b', '.*.*.*='], false), 'a'],
    ['words that begin everywhere', keywordsOf(nested('a '), true), 'a '],
    ['combining marks', keywordsOf(['a\u0301\u0323'.repeat(80)], true), '\u0301\u0323'],
    [
      'a thousand keywords',
      keywordsOf(
        Array.from({ length: 1000 }, (_, index) => `keyword ${index}`),
        true,
      ),
      'keyword 99',
    ],
  ]
  const SMALL = 20_000
  const TIMES = 8
  const ROUNDS = 3
  /** The same work in long and in short pieces takes the same time if the time is linear, and eight times as long if it is quadratic. */
  const LIMIT = 4

  const prepared = (times: number, runOf: () => () => void) => {
    const runs = Array.from({ length: times }, runOf)
    return () => {
      for (const run of runs) run()
    }
  }
  const expectProportion = async (runOf: (size: number) => () => () => void, small: number) => {
    prepared(2, runOf(small))()
    const inPieces = await processorTimeOf(prepared(ROUNDS * TIMES, runOf(small)))
    await expectLessProcessorTime(inPieces * LIMIT, prepared(ROUNDS, runOf(small * TIMES)))
  }

  test.each(HOSTILE)('with %s', async (_name, keywords, unit) => {
    const scanOf = (length: number) => () => {
      const text = unit.repeat(length / unit.length)
      const scanner = keywordScanner(keywords)
      return () => scanner.scan(foldText(text))
    }
    await expectProportion(scanOf, SMALL)
  })

  test('and building is in proportion to the keywords', async () => {
    const buildOf = (count: number) => () => {
      const keywords = keywordsOf(
        Array.from({ length: count }, (_, index) => `${'a'.repeat(index % 500)}${index}`),
        false,
      )
      return () => keywordScanner(keywords)
    }
    await expectProportion(buildOf, 250)
  })
})

test('takes no more memory than the keywords have characters', () => {
  const keywords = keywordsOf(['tea', 'team', 'coffee'], false)
  expect(keywordScanner(keywords).size).toBeLessThanOrEqual('team'.length + 'coffee'.length + 1)
  expect(keywordScanner([]).size).toBe(0)
})
