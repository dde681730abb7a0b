import { expect, test } from 'vitest'
import { networkOf, originsOf } from './origins.rules.ts'

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', undefined],
  ['tea', undefined],
  ['1:2:3', undefined],
])('the network of %j is %s', (address, network) => expect(networkOf(address)).toBe(network))

test('mail domains and networks of more than one sign-up are named, the most frequent first', () => {
  const signUps = [
    { email: 'a@Spam.example', ip: '192.0.2.1' },
    { email: 'b@spam.example', ip: '192.0.2.2' },
    { email: 'c@spam.example', ip: '198.51.100.1' },
    { email: 'd@tea.example', ip: null },
  ]
  expect(originsOf(signUps)).toEqual([
    { kind: 'email_domain', value: 'spam.example', count: 3 },
    { kind: 'ip', value: '192.0.2.0/24', count: 2 },
  ])
})
