import { expect, test } from 'vitest'
import { addressRangeOf } from './address-range.rules.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1 ', '192.0.2.1'],
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['192.0.2.7/0', '192.0.2.7/0'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['2001:db8::1', '2001:db8::1'],
  ['2001:db8::1/128', '2001:db8::1/128'],
  ['192.0.2.7/32', '192.0.2.7/32'],
  ['192.0.2.7/024', '192.0.2.7/24'],
  ['2001:db8::/129', undefined],
  ['192.0.2.0/-1', undefined],
  ['192.0.2.0/1e1', undefined],
  ['192.0.2.0/33', undefined],
  ['192.0.2.0/', undefined],
  ['192.0.2.0/24/8', undefined],
  ['192.0.2', undefined],
  ['fe80::1%eth0', undefined],
  ["'; drop table login", undefined],
])('%j is the range %j', (text, range) => expect(addressRangeOf(text)).toBe(range))
