import { expectLessProcessorTime } from '@rookery/test-cost'
import { describe, expect, test } from 'vitest'
import { anyWord, everyWord, isSelective, parseQuery, type StatusQuery, wholeWords } from './query.rules.ts'

const NOTHING = parseQuery('')
const day = (text: string) => Date.parse(`${text}T00:00:00.000Z`)
const none = { me: false, handles: [] }

const CASES: [typed: string, expected: Partial<StatusQuery>][] = [
  ['', {}],
  ['  \t\n ', {}],
  ['Tea  time', { words: ['tea', 'time'] }],
  ['"tea time" now', { words: ['tea time', 'now'] }],
  ['“tea time”', { words: ['tea time'] }],
  ['"tea time', { words: ['tea time'] }],
  ['""', {}],
  ['tea"time"', { words: ['tea', 'time'] }],
  ['-coffee tea', { words: ['tea'], unwantedWords: ['coffee'] }],
  ['-"iced tea"', { unwantedWords: ['iced tea'] }],
  ['- tea', { words: ['tea'] }],
  ['--tea', { unwantedWords: ['-tea'] }],
  ['!!! 🐘 ***', {}],
  ['茶 чай شاي', { words: ['茶', 'чай', 'شاي'] }],
  ['from:me', { from: { me: true, handles: [] } }],
  ['FROM:Me', { from: { me: true, handles: [] } }],
  ['from:@Joel from:mara@here.example', { from: { me: false, handles: ['joel', 'mara@here.example'] } }],
  ['-from:joel', { notFrom: { me: false, handles: ['joel'] } }],
  ['from:', { words: ['from:'] }],
  ['has:media has:poll has:embed has:link', { having: ['media', 'poll', 'embed', 'link'] }],
  ['has:image -has:video -has:audio', { having: ['media', 'image'], notHaving: ['video', 'audio'] }],
  ['-has:media is:reply -is:sensitive', { having: ['reply'], notHaving: ['media', 'sensitive'] }],
  ['has:fun is:constructor', { words: ['has:fun', 'is:constructor'] }],
  ['__proto__:x constructor:y', { words: ['__proto__:x', 'constructor:y'] }],
  ['language:DE -language:en', { languages: ['de'], notLanguages: ['en'] }],
  ['language:pt_BR language:nonsense', { languages: ['pt-br', 'nonsense'] }],
  ['before:2024-03-01', { until: day('2024-03-01') }],
  ['after:2024-03-01', { since: day('2024-03-02') }],
  ['-before:2024-03-01', { since: day('2024-03-01') }],
  ['-after:2024-03-01', { until: day('2024-03-02') }],
  ['during:2024-02-29', { since: day('2024-02-29'), until: day('2024-03-01') }],
  ['before:"2024-03-01"', { until: day('2024-03-01') }],
  ['after:2024-01-01 after:2024-03-01 before:2024-06-01 before:2024-05-01', { since: day('2024-03-02'), until: day('2024-05-01') }],
  ['before:2024-02-30 after:yesterday', { words: ['before:2024-02-30', 'after:yesterday'] }],
  ['before:2024-03', { words: ['before:2024-03'] }],
  ['before:12024-03-01 after:2024-03-011', { words: ['before:12024-03-01', 'after:2024-03-011'] }],
  ['-during:2024-02-29', { unwantedWords: ['during:2024-02-29'] }],
  ['" tea time "', { words: ['tea time'] }],
  [Array(33).fill('tea').join(' '), { words: Array(32).fill('tea') }],
  [`${' '.repeat(397)}tea`, { words: ['tea'] }],
  [`${' '.repeat(398)}tea`, { words: ['te'] }],
  ['in:library', { scope: 'library' }],
  ['in:public', { scope: 'public' }],
  ['in:library in:all', { scope: 'all' }],
  ['in:orbit', { words: ['in:orbit'] }],
  ['https://example.org/a?b', { words: ['https://example.org/a?b'] }],
]

describe('a search for statuses', () => {
  test.each(CASES)('%s', (typed, expected) => {
    expect(parseQuery(typed)).toEqual({ ...NOTHING, ...expected })
  })

  test('asks for nothing and no one when nothing was typed', () => {
    expect(NOTHING).toMatchObject({ words: [], from: undefined, notFrom: none, scope: 'all' })
  })

  test.each([
    ['tea', true],
    ['from:me', true],
    ['has:media', true],
    ['in:library', true],
    ['language:de', true],
    ['has:media language:de', true],
    ['before:2024-01-01', true],
    ['', false],
    ['-tea', false],
    ['-from:me', false],
    ['***', false],
  ])('%s is selective: %s', (typed, expected) => {
    expect(isSelective(parseQuery(typed))).toBe(expected)
  })

  test('becomes quoted terms, in which no word has a meaning of its own', () => {
    const { words, unwantedWords } = parseQuery('tea or "milk & sugar" -oat -"no milk"')
    expect(everyWord(words)).toBe('"tea" "or" "milk & sugar"')
    expect(anyWord(unwantedWords)).toEqual({ words: '"oat" or "no milk"', wholeWords: [] })
    expect(everyWord([])).toBeNull()
  })

  test.each([
    ['tea_time', ['tea_time']],
    ['covid-19', ['covid-19']],
    ['(tea_time), #tea-time_2', ['tea_time', 'tea-time_2']],
    ['my tea__time now', ['tea__time']],
    ['@tea_time@a-b.example', ['tea_time', 'a-b']],
    ['привет_мир', ['привет_мир']],
    ['tea time', []],
    ['_tea_ -time- a_ -b', []],
    ['.*_ (a|b)_c ^_$', []],
  ])('%s holds the whole words %j', (text, words) => {
    const found = wholeWords([text]).map((pattern) => /\)([^(]+)\(\?!/.exec(pattern)?.[1])
    expect(found).toEqual(words)
  })

  test('keeps out what has an unwanted word with a joint as a whole, and other unwanted words as they stand', () => {
    const { words, wholeWords: whole } = anyWord(['tea_time', 'milk', 'my tea_time'])
    expect(words).toBe('"milk" or "my tea_time"')
    expect(whole).toEqual(wholeWords(['tea_time']))
  })

  test.each([
    ['quotes', '"'.repeat(500_000)],
    ['minuses', '-'.repeat(500_000)],
    ['operators', 'from:'.repeat(100_000)],
    ['letters', 'a'.repeat(500_000)],
    ['negated quotes', '-"a'.repeat(200_000)],
  ])('is read at once and within bounds, though made of %s', async (_, typed) => {
    // A thousand times the usual cost; quadratic time would take minutes.
    await expectLessProcessorTime(5000, () => {
      const query = parseQuery(typed)
      expect(query.words.length + query.unwantedWords.length).toBeLessThanOrEqual(32)
    })
  })
})

test('a long word is looked at once, and not from each of its letters', async () => {
  await expectLessProcessorTime(250, () => expect(wholeWords(['a'.repeat(60_000)])).toEqual([]))
})
