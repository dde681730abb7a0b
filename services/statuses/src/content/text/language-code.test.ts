import { expect, test } from 'vitest'
import { languageCode } from './language-code.ts'

test.each([
  ['de', 'de'],
  ['DE', 'de'],
  [' de ', 'de'],
  ['deu', 'de'],
  ['ger', 'de'],
  ['iw', 'he'],
  ['pt-br', 'pt-BR'],
  ['pt_BR', 'pt-BR'],
  ['zh-cn', 'zh-CN'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['SR-LATN', 'sr-Latn'],
  ['es-419', 'es-419'],
  ['zh-YUE', 'yue'],
  ['ast', 'ast'],
  ['tok', 'tok'],
  ['ldn', 'ldn'],
  ['de-nonsense', 'de'],
  ['de-XX', 'de'],
  ['de-x-mine', 'de'],
  ['en-u-hc-h12', 'en'],
])('%s is the language %s', (typed, code) => expect(languageCode(typed)).toBe(code))

test.each([
  '',
  'x',
  'xx',
  'xx-nonsense',
  'und',
  'english',
  'klingon please',
  '12',
  '-',
  'de-',
  'de--at',
  '<b>',
  'i-klingon',
  'x'.repeat(1000),
  `de${'-abc'.repeat(20)}`,
])('%s is no language', (typed) => expect(languageCode(typed)).toBeUndefined())
