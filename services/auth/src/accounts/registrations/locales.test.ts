import { expect, it } from 'vitest'
import { localeOf } from './locales.ts'

it.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['pt_br', 'pt-BR'],
  ['pt', 'pt-PT'],
  ['zh-Hans-CN', 'zh-CN'],
  ['EN', 'en'],
  ['xx', undefined],
  ['', undefined],
  ['constructor', undefined],
])('%s means %s', (typed, expected) => expect(localeOf(typed)).toBe(expected))
