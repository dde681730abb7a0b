import { expectLessProcessorTime } from '@rookery/test-cost'
import { expect, test } from 'vitest'
import { detectLanguage, isLongEnough, wordsOf } from './detect-language.ts'

test.each([
  ['en', 'The kettle is on and someone next door plays the same four bars again.'],
  ['de', 'Der Kessel pfeift, das Fenster ist offen und nebenan spielt jemand Klavier.'],
  ['fr', "La bouilloire siffle, la fenêtre est ouverte et quelqu'un joue du piano à côté."],
  ['es', 'Mañana iremos al mercado para comprar pan y un poco de queso.'],
  ['ja', '明日は市場に行ってパンとチーズを買います。'],
  ['ko', '내일 우리는 시장에 가서 빵과 치즈를 살 거예요.'],
  ['zh', '明天我们去市场买面包'],
  ['uk', 'Завтра ми підемо на ринок, щоб купити хліб і трохи сиру.'],
  ['ar', 'غدا سنذهب إلى السوق لشراء الخبز وقليل من الجبن.'],
])('%s: %s', async (language, text) => {
  expect(await detectLanguage(text)).toBe(language)
})

test.each([
  ['nothing', ''],
  ['one word', 'Kubernetes'],
  ['laughter', 'hahahaha'],
  ['numbers', '1234567890 1234567890 1234567890'],
  ['an address', 'https://example.org/der/Kessel/pfeift/das/Fenster/ist/offen'],
  ['mentions', '@nebenan_spielt @jemand_klavier @das_fenster_ist_offen'],
  ['tags', '#nebenan #spielt #jemand #klavier #fenster'],
  ['emojis', ':der_kessel_pfeift: :das_fenster_ist_offen:'],
])('of %s nothing is said', async (_name, text) => {
  expect(await detectLanguage(text)).toBeUndefined()
})

test('words are what is left without addresses, mentions, tags and emojis', () => {
  expect(wordsOf('@joel see :blobcat: https://example.org/a #tea now').split(/\s+/)).toEqual(['see', 'now'])
})

test.each([
  ['a'.repeat(19), false],
  ['a'.repeat(20), true],
  ['明天我们去', false],
  ['明天我们去市', true],
])('%s is long enough: %s', (words, expected) => {
  expect(isLongEnough(words)).toBe(expected)
})

test.each([
  ['letters', 'a'.repeat(1_000_000)],
  ['at signs', '@'.repeat(1_000_000)],
  ['colons', ':'.repeat(1_000_000)],
  ['words', 'und '.repeat(250_000)],
])('a million %s cost no more than a thousand', async (_name, text) => {
  await detectLanguage('The kettle is on and someone plays')
  // 50 times the usual cost.
  await expectLessProcessorTime(100, () => detectLanguage(text))
})
