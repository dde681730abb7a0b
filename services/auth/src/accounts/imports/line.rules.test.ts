import { expect, it } from 'vitest'
import { flagOf, statusIdOf } from './line.rules.ts'

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
