import { describe, expect, test } from 'vitest'
import { type DomainLimit, differs, isDecision, type LimitedState, limitedState, limitFor } from './domain-limit.rules.ts'

const OPEN: LimitedState = { isSilenced: false, silencedByDomain: false, isSuspended: false, suspendedByDomain: false, rejectsMedia: false }
const NONE: DomainLimit = { isSilenced: false, isSuspended: false, rejectsMedia: false }
const SILENCED: DomainLimit = { ...NONE, isSilenced: true }
const SUSPENDED: DomainLimit = { ...NONE, isSuspended: true }

describe('the limit that counts for a domain', () => {
  const limits = new Map([
    ['example.org', SUSPENDED],
    ['good.example.org', SILENCED],
  ])
  test.each([
    ['its own', 'example.org', SUSPENDED],
    ['that of the domain above', 'a.b.example.org', SUSPENDED],
    ['the most specific one', 'a.good.example.org', SILENCED],
    ['none, where only the end of the name is alike', 'badexample.org', NONE],
    ['its own, with a port', 'example.org:8443', SUSPENDED],
  ])('is %s', (_which, domain, limit) => expect(limitFor(domain, limits)).toEqual(limit))
})

test.each([
  ['that a domain has no limits', NONE, true, true],
  ['a limit, as requests said it once', SILENCED, false, true],
  ['nothing', NONE, false, false],
])('staff decided %s', (_what, limit, isDecided, expected) => expect(isDecision({ ...limit, isDecided })).toBe(expected))

test.each<[string, Partial<LimitedState>, DomainLimit, Partial<LimitedState>]>([
  ['silences an account that is not', {}, SILENCED, { isSilenced: true, silencedByDomain: true }],
  ['leaves what staff silenced as their own', { isSilenced: true }, SILENCED, { isSilenced: true }],
  ['again changes nothing', { isSilenced: true, silencedByDomain: true }, SILENCED, { isSilenced: true, silencedByDomain: true }],
  ['lifts what it did when it ends', { isSilenced: true, silencedByDomain: true }, NONE, {}],
  ['leaves what staff did when it ends', { isSilenced: true, isSuspended: true }, NONE, { isSilenced: true, isSuspended: true }],
  ['becomes another one', { isSilenced: true, silencedByDomain: true }, SUSPENDED, { isSuspended: true, suspendedByDomain: true }],
  ['rejects media', {}, { ...NONE, rejectsMedia: true }, { rejectsMedia: true }],
  ['takes that back', { rejectsMedia: true }, NONE, {}],
])('a limit %s', (_what, before, limit, after) => {
  const state = limitedState({ ...OPEN, ...before }, limit)
  expect(state).toEqual({ ...OPEN, ...after })
  expect(differs(state, limitedState(state, limit))).toBe(false)
})
