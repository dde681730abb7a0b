import { expect, it } from 'vitest'
import { domainOf, isEmail } from './email.rules.ts'

it.each([
  'mara@example.com',
  'm@localhost',
  'm@4chan.7eleven',
  `m@${'b.'.repeat(126)}b`,
  'first.last+tag@mail.example.co.uk',
  "o'hara_1-2=x~y&z@example.com",
  'mära@exämple.com',
  'mara@xn--exmple-cua.com',
  `${'a'.repeat(64)}@example.com`,
  `a@${'b'.repeat(63)}.example`,
])('%s is an address', (email) => expect(isEmail(email)).toBe(true))

it.each([
  '',
  '@',
  'mara',
  'mara@',
  '@example.com',
  'a%b@example.com',
  'a!b@example.com',
  '=?utf-8?q?x?=@example.com',
  'a@b%c.example',
  '.a@example.com',
  'a.@example.com',
  'a..b@example.com',
  'a b@example.com',
  '"a b"@example.com',
  'a@b@example.com',
  '<a@example.com>',
  'a@example.com,b@example.com',
  'a@example.com\r\nBcc: b@example.com',
  'a\0@example.com',
  'a(b)@example.com',
  `${'a'.repeat(65)}@example.com`,
  `${'ä'.repeat(33)}@example.com`,
  `a@${'b'.repeat(64)}.example`,
  'a@-b.example',
  'a@b-.example',
  'a@b..example',
  'a@.example',
  'a@127.0.0.1',
  'a@2130706433',
  'a@0x7f.1',
  'a@[127.0.0.1]',
  'a@b.123',
  `m@${'b.'.repeat(126)}bb`,
  'a@example.com/x',
  'a@example.com:25',
  'a@exam ple.com',
])('%j is no address', (email) => expect(isEmail(email)).toBe(false))

it('knows the domain as the DNS does', () => {
  expect(domainOf('m@Mail.EXÄMPLE.com')).toBe('mail.xn--exmple-cua.com')
  expect(domainOf('m@')).toBe('')
})
