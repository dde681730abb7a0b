import { expect, test } from 'vitest'
import { queryElsewhere } from './resolve-query.ts'

test.each([
  ['a handle', '@ann@tea.example', { handle: 'ann@tea.example' }],
  ['a handle without its first @', ' ann@tea.example ', { handle: 'ann@tea.example' }],
  ['a handle as an address of accounts', 'acct:ann@tea.example', { handle: 'ann@tea.example' }],
  ['an address', 'https://tea.example/@ann', { url: 'https://tea.example/@ann' }],
  ['a handle of this server', '@ann@Birds.example', undefined],
  ['an address of this server', 'https://birds.example/@ann', undefined],
  ['a name', '@ann', undefined],
  ['words', 'tea at ann@tea.example', undefined],
  ['another scheme', 'javascript://tea.example/', undefined],
])('%s: %s', (_what, text, sought) => expect(queryElsewhere(text, 'https://birds.example')).toEqual(sought))
