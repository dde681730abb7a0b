import { expect, test } from 'vitest'
import { countedAddress } from './counted-address.ts'

test.each([
  ['an address of IPv4 by itself', '203.0.113.9', '203.0.113.9'],
  ['one of IPv4 in IPv6 as that of IPv4', '::ffff:203.0.113.9', '203.0.113.9'],
  ['one of IPv6 by its network of 64 bits', '2001:db8:1:2:3:4:5:6', '32.1.13.184.0.1.0.2/64'],
  ['its neighbour in the same network with it', '2001:db8:1:2::1', '32.1.13.184.0.1.0.2/64'],
  ['one of the next network apart', '2001:db8:1:3::1', '32.1.13.184.0.1.0.3/64'],
])('counts %s', (_what, address, counted) => expect(countedAddress(address)).toBe(counted))
