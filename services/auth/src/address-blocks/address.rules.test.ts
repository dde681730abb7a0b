import { describe, expect, test } from 'vitest'
import { canonicalHash, contains, isHash, networkOf, severityOf, strictest } from './address.rules.ts'

describe('a network', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1/32'],
    [' 192.0.2.77/24 ', '192.0.2.0/24'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['192.0.2.1/1', '128.0.0.0/1'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:1:2:3::/64', '2001:db8:1:2::/64'],
    ['::ffff:192.0.2.1', '192.0.2.1/32'],
    ['::ffff:192.0.2.1/120', '192.0.2.0/24'],
  ])('%j is %s', (typed, network) => expect(networkOf(typed)).toBe(network))

  test.each([
    '',
    'tea',
    '192.0.2',
    '192.0.2.1/',
    '192.0.2.1/33',
    '192.0.2.1/-1',
    '192.0.2.1/8/8',
    '1',
    '0x7f.1',
    'fe80::1%eth0',
    '::/129',
    '0.0.0.0/0',
    '::/0',
    '::ffff:192.0.2.1/95',
    '192.0.2.1/1e1',
  ])('%j is none', (typed) => expect(networkOf(typed)).toBeUndefined())
})

test.each([
  ['192.0.2.0/24', '192.0.2.77', true],
  ['192.0.2.0/24', '::ffff:192.0.2.77', true],
  ['192.0.2.0/24', '192.0.3.1', false],
  ['2001:db8::/32', '2001:db8:1::2', true],
  ['2001:db8::/32', '192.0.2.1', false],
  ['192.0.2.0/24', '2001:db8::1', false],
  ['192.0.2.0/24', '', false],
])('%s and the address %j: %s', (network, address, expected) => expect(contains(network, address)).toBe(expected))

test('the strictest of several severities counts', () => {
  expect(strictest(['sign_up_block', 'no_access', 'sign_up_requires_approval'])).toBe('no_access')
  expect(strictest(['sign_up_requires_approval', 'sign_up_block'])).toBe('sign_up_block')
  expect(strictest([])).toBeUndefined()
})

test.each(['sign_up_requires_approval', 'sign_up_block', 'no_access'])('%s is a severity', (text) => expect(severityOf(text)).toBe(text))

test.each(['', 'suspend', 'constructor', 'No_access'])('%j is no severity', (text) => expect(severityOf(text)).toBeUndefined())

describe('a mailbox', () => {
  test.each(['mara@example.org', 'M.a.r.a@example.org', 'mara+tea@EXAMPLE.org', ' m.ara+x+y@example.org '])('is the same as %j', (email) =>
    expect(canonicalHash(email)).toBe(canonicalHash('mara@example.org')),
  )
  test.each(['maro@example.org', 'mara@example.com', 'mara'])('is another than %j', (email) =>
    expect(canonicalHash(email)).not.toBe(canonicalHash('mara@example.org')),
  )
  test('is hashed as 64 hexadecimal digits', () => {
    expect(isHash(canonicalHash('mara@example.org'))).toBe(true)
    expect(['', 'x'.repeat(64), 'A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65)].filter(isHash)).toEqual([])
  })
})
