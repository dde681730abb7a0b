import { UpdatePhraseRequest } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { changesAnything, filterChangeOf, titleOf } from './phrase.rules.ts'

test.each([
  ['tea', 'tea'],
  ['🐦'.repeat(300), '🐦'.repeat(256)],
])('the title of a filter for the phrase %s has 256 characters at most', (phrase, title) => expect(titleOf(phrase)).toBe(title))

describe('a phrase changes of its filter', () => {
  const change = (
    request: Parameters<typeof UpdatePhraseRequest.fromPartial>[0],
    filter: { action?: string; contexts?: string[]; expiresAt?: number | null } = {},
    expiresAt?: Date | null,
  ) => {
    const whole = { action: 'warn', contexts: ['home', 'public'], expiresAt: null, ...filter }
    return filterChangeOf(UpdatePhraseRequest.fromPartial(request), expiresAt, { filter: whole } as Parameters<typeof filterChangeOf>[2])
  }
  const NOTHING = { contexts: undefined, action: undefined, expiresAt: undefined }

  test.each([
    ['nothing without a change', change({}), NOTHING],
    ['nothing by the same contexts in another order', change({ contexts: { names: ['public', 'home'] } }), NOTHING],
    ['the contexts, each once', change({ contexts: { names: ['home', 'home'] } }), { ...NOTHING, contexts: ['home'] }],
    ['the action, once it is irreversible', change({ isIrreversible: true }), { ...NOTHING, action: 'hide' }],
    ['the action, once it is not any more', change({ isIrreversible: false }, { action: 'hide' }), { ...NOTHING, action: 'warn' }],
    ['no action that is irreversible already', change({ isIrreversible: true }, { action: 'hide' }), NOTHING],
    ['no action that blurs', change({ isIrreversible: false }, { action: 'blur' }), NOTHING],
    ['when it ends', change({}, {}, new Date(5)), { ...NOTHING, expiresAt: new Date(5) }],
    ['that it does not end any more', change({}, { expiresAt: 5 }, null), { ...NOTHING, expiresAt: null }],
    ['no end where there was none', change({}, {}, null), NOTHING],
  ])('%s', (_what, made, expected) => {
    expect(made).toEqual(expected)
    expect(changesAnything(made)).toBe(expected !== NOTHING)
  })
})
