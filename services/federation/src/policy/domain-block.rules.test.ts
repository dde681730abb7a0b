import { describe, expect, it } from 'vitest'
import { isStricter, limitsAfter, obfuscated, publicView, type Severity, severityOf, staffView } from './domain-block.rules.ts'

describe('obfuscated', () => {
  it.each([
    ['mastodon.example', 'masto***.***mple'],
    ['example.com', 'exa****.*om'],
    ['a.io', 'a.*o'],
    ['a', 'a'],
    ['', ''],
  ])('%s is shown as %s', (domain, shown) => expect(obfuscated(domain)).toBe(shown))
})

const strictness = (severity: Severity, rejectMedia = false, rejectReports = false) => ({ severity, rejectMedia, rejectReports })

describe('a block', () => {
  it.each([
    ['suspend', strictness('suspend'), strictness('suspend', true, true), true],
    ['silence beside suspend', strictness('silence', true, true), strictness('suspend'), false],
    ['silence beside silence', strictness('silence'), strictness('silence'), true],
    ['silence beside silence without media', strictness('silence'), strictness('silence', true), false],
    ['silence without media beside silence', strictness('silence', true), strictness('silence'), true],
    ['silence beside silence without reports', strictness('silence', true), strictness('silence', false, true), false],
    ['noop beside silence', strictness('noop', true, true), strictness('silence'), false],
    ['silence beside noop', strictness('silence'), strictness('noop'), true],
  ])('%s: stricter or not', (_case, block, other, expected) => expect(isStricter(block, other)).toBe(expected))
})

describe('who sees what of a block', () => {
  const createdAt = new Date(7)
  const flags = { rejectMedia: false, rejectReports: false, isApplied: true }
  const block = { id: '1', domain: 'example.com', severity: 'silence' as const, obfuscate: false, ...flags, createdAt }
  const plain = { ...block, privateComment: null, publicComment: null }
  const commented = { ...block, privateComment: 'why', publicComment: 'spam' }
  const digest = 'a379a6f6eeafb9a55e378c118034e2751e682fab9f2d30ab13d2125586ce1947'

  it.each([
    ['its domain and comment', commented, { domain: 'example.com', digest, severity: 'silence', comment: 'spam' }],
    ['no comment where there is none', plain, { domain: 'example.com', digest, severity: 'silence', comment: '' }],
    [
      'stars, with the digest of the true domain',
      { ...plain, obfuscate: true },
      { domain: 'exa****.*om', digest, severity: 'silence', comment: '' },
    ],
  ])('the public sees %s', (_what, row, expected) => expect(publicView(row)).toEqual(expected))

  it.each([
    [
      'both comments, and the domain without stars',
      { ...commented, obfuscate: true },
      { domain: 'example.com', digest, privateComment: 'why', publicComment: 'spam' },
    ],
    ['no comments where there are none', plain, { createdAtMilliseconds: 7, privateComment: undefined, publicComment: undefined }],
  ])('staff see %s', (_what, row, expected) => expect(staffView(row)).toMatchObject(expected))
})

describe('a severity', () => {
  it.each(['noop', 'silence', 'suspend'])('is %s', (text) => expect(severityOf(text)).toBe(text))
  it.each(['', 'Suspend', 'constructor', 'silenced'])('is not %j', (text) => expect(severityOf(text)).toBeUndefined())
})

describe('what follows from a block for people of other servers', () => {
  const block = (domain: string, severity: 'silence' | 'suspend' | 'noop', rejectMedia = false) => ({ domain, severity, rejectMedia })
  const free = { isSilenced: false, isSuspended: false, rejectsMedia: false, isDecided: true }

  it.each([
    ['a silence', [block('a.example', 'silence')], [{ domain: 'a.example', ...free, isSilenced: true }]],
    ['a suspension', [block('a.example', 'suspend')], [{ domain: 'a.example', ...free, isSuspended: true }]],
    ['no severity, but its files', [block('a.example', 'noop', true)], [{ domain: 'a.example', ...free, rejectsMedia: true }]],
    ['the end of it', [], [{ domain: 'a.example', ...free, isDecided: false }]],
    ['the end of it below another', [block('example', 'silence')], [{ domain: 'a.example', ...free, isDecided: false }]],
    [
      'one above others, which keep what is decided of them',
      [block('a.example', 'suspend'), block('x.y.a.example', 'noop'), block('y.a.example', 'silence'), block('ba.example', 'suspend')],
      [
        { domain: 'a.example', ...free, isSuspended: true },
        { domain: 'y.a.example', ...free, isSilenced: true },
        { domain: 'x.y.a.example', ...free },
      ],
    ],
  ])('%s', (_, blocks, limits) => expect(limitsAfter('a.example', blocks)).toEqual(limits))
})
