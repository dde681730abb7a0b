import { describe, expect, test } from 'vitest'
import { actionFaults, contextFaults, expiresAt, holdingsFaults, keywordFaults, titleFaults } from './filter.rules.ts'

const of = (length: number) => '🐦'.repeat(length)

test.each([
  ['title of 256 characters', titleFaults(of(256)), []],
  ['title of 257 characters', titleFaults(of(257)), ['Title is too long (maximum is 256 characters)']],
  ['blank title', titleFaults(' '), ["Title can't be blank"]],
  ['keyword of 512 characters', keywordFaults(of(512)), []],
  ['keyword of 513 characters', keywordFaults(of(513)), ['Keyword is too long (maximum is 512 characters)']],
  ['blank keyword', keywordFaults(''), ["Keyword can't be blank"]],
  ['blank phrase', keywordFaults('', 'Phrase'), ["Phrase can't be blank"]],
  ['list of known contexts', contextFaults(['home', 'notifications', 'public', 'thread', 'account']), []],
  ['list of no contexts', contextFaults([]), ['Context None or invalid context supplied']],
  ['list with an unknown context', contextFaults(['home', 'lists']), ['Context None or invalid context supplied']],
  ['missing action', actionFaults(''), []],
  ['action warn', actionFaults('warn'), []],
  ['action hide', actionFaults('hide'), []],
  ['action blur', actionFaults('blur'), []],
  ['unknown action', actionFaults('delete'), ['Action is not included in the list']],
])('the faults of a %s', (_what, faults, expected) => expect(faults).toEqual(expected))

describe('what one person may have', () => {
  const MAX = { filters: 1000, keywords: 2000, characters: 50_000, statuses: 2000 }
  test.each([
    ['all of it', {}, []],
    ['filters', { filters: 1001 }, ['Filters are limited to 1000']],
    ['keywords', { keywords: 2001 }, ['Keywords of all filters are limited to 2000']],
    ['characters', { characters: 50_001 }, ['Keywords of all filters are limited to 50000 characters together']],
    ['statuses', { statuses: 2001 }, ['Statuses of all filters are limited to 2000']],
  ])('%s', (_what, more, faults) => expect(holdingsFaults({ ...MAX, ...more })).toEqual(faults))
})

test.each([
  ['as it was without an expiry', undefined, undefined],
  ['never with an empty one', {}, null],
  ['at once after no seconds', { seconds: 0 }, new Date(1000)],
  ['a minute later', { seconds: 60 }, new Date(61_000)],
  ['in a hundred years at the latest', { seconds: 1e12 }, new Date(1000 + 100 * 366 * 86_400_000)],
])('a filter ends %s', (_when, expiry, expected) => expect(expiresAt(expiry as never, 1000)).toEqual(expected))
