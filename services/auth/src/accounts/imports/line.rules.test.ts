import { expect, it } from 'vitest'
import { flagOf, languagesOf, statusIdOf } from './line.rules.ts'

it.each([
  ['true', false, true],
  ['FALSE', true, false],
  ['1', false, true],
  ['Yes', false, true],
  ['no', true, false],
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
  ['https://x.example/at/@mara/7', undefined],
  ['tea', undefined],
])('%s names status %j', (address, id) => expect(statusIdOf(address, 'https://x.example')).toBe(id))

it.each([
  ['de, en', ['de', 'en']],
  [' de ', ['de']],
  ['', []],
  [undefined, []],
])('%j names the languages %j', (cell, languages) => expect(languagesOf(cell)).toEqual(languages))
