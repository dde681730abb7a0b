import { describe, expect, it } from 'vitest'
import { isStricter, limitsAfter, obfuscated, type Severity, severityOf } from './domain-block.rules.ts'

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
