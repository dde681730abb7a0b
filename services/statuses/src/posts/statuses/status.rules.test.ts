import { Visibility } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { defaultVisibility, isListed, isSensitive, postedVisibility, textFaults, wording } from './status.rules.ts'

const { PUBLIC, UNLISTED, PRIVATE, DIRECT } = Visibility

describe('wording', () => {
  test.each([
    ['a text', { text: 'tea', spoilerText: '' }, { text: 'tea', spoilerText: '' }],
    ['white space around both', { text: ' tea\n', spoilerText: ' food ' }, { text: 'tea', spoilerText: 'food' }],
    ['a warning without a text', { text: ' ', spoilerText: ' food' }, { text: 'food', spoilerText: '' }],
    ['nothing', { text: '', spoilerText: '' }, { text: '', spoilerText: '' }],
  ])('of %s', (_what, typed, expected) => expect(wording(typed, false)).toEqual(expected))

  test('of a warning without a text, of what is quoted', () =>
    expect(wording({ text: ' ', spoilerText: ' food' }, true)).toEqual({ text: '', spoilerText: 'food' }))
})

describe('a status is sensitive', () => {
  test.each([
    ['as asked, against the preference', { sensitive: true, spoilerText: '' }, false, true],
    ['not, as asked, against the preference', { sensitive: false, spoilerText: '' }, true, false],
    ['by preference when the request does not say', { spoilerText: '' }, true, true],
    ['not by preference when the request does not say', { spoilerText: '' }, false, false],
    ['with a warning, regardless of what was asked', { sensitive: false, spoilerText: 'food' }, false, true],
    ['not with a blank warning', { sensitive: false, spoilerText: '  ' }, false, false],
  ])('%s', (_when, asked, preference, expected) => expect(isSensitive(asked, preference)).toBe(expected))
})

describe('a text is refused', () => {
  const of = (length: number) => 'a'.repeat(length)
  test.each([
    ['when it is blank and nothing else is shown', { text: '', spoilerText: '' }, false, ["Text can't be blank"]],
    ['not when it is blank beside a file or a quote', { text: '', spoilerText: '' }, true, []],
    ['not with 500 characters', { text: of(500), spoilerText: '' }, false, []],
    ['with 501 characters', { text: of(501), spoilerText: '' }, false, ['Text character limit of 500 exceeded']],
    ['when text and warning together have 501', { text: of(500), spoilerText: 'a' }, false, ['Text character limit of 500 exceeded']],
    ['not for a long address, which counts as 23', { text: `https://birds.example/${of(600)}`, spoilerText: '' }, false, []],
  ])('%s', (_when, text, showsMore, faults) => expect(textFaults(text, showsMore)).toEqual(faults))
})

describe('visibility', () => {
  test.each([
    ['public', { locked: false, defaultPrivacy: null }, PUBLIC],
    ['private for a locked account', { locked: true, defaultPrivacy: null }, PRIVATE],
    ['the preference', { locked: false, defaultPrivacy: UNLISTED }, UNLISTED],
    ['the preference of a locked account', { locked: true, defaultPrivacy: PUBLIC }, PUBLIC],
  ])('is by default %s', (_what, author, expected) => expect(defaultVisibility(author)).toBe(expected))

  test.each([
    [PUBLIC, true, UNLISTED],
    [PUBLIC, false, PUBLIC],
    [UNLISTED, true, UNLISTED],
    [PRIVATE, true, PRIVATE],
    [DIRECT, true, DIRECT],
  ])('%s, of an author who is silenced: %s, becomes %s', (asked, isSilenced, expected) =>
    expect(postedVisibility(asked, isSilenced)).toBe(expected),
  )

  test.each([
    [PUBLIC, false, true],
    [PUBLIC, true, false],
    [UNLISTED, false, false],
    [PRIVATE, false, false],
    [DIRECT, false, false],
  ])('%s, as a reply to another: %s, is on public timelines: %s', (visibility, isReplyToOther, expected) =>
    expect(isListed(visibility, isReplyToOther)).toBe(expected),
  )
})
