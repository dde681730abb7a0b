import { expect, test } from 'vitest'
import { networkOf, originsOf } from './origins.rules.ts'

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['::ffff:192.0.2.77', undefined],
  ['1::2::3', undefined],
  ['1:2:3:4:5:6:7:8:9', undefined],
  ['192.0.2.77.1', undefined],
  ['1192.0.2.77', undefined],
  ['192.0.2.7777', undefined],
  ['1 2 3 4 5 6 7 8', undefined],
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

test('those that are as frequent are in the order of their names, and what is missing is none', () => {
  const signUps = ['b.example', 'a.example', 'b.example', 'c.example', 'a.example', 'c.example', 'c.example'].map((domain) => ({
    email: `x@${domain}`,
    ip: null,
  }))
  const empty = { email: '', ip: 'tea' }
  expect(originsOf([...signUps, empty, empty]).map(({ value }) => value)).toEqual(['c.example', 'a.example', 'b.example'])
})
