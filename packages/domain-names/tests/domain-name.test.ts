import { accountDomain, coveringDomains, decisionFor, domainName, otherServer } from '@rookery/domain-names'
import { describe, expect, test } from 'vitest'

describe('the name of a server', () => {
  test.each([
    ['elsewhere.example', 'elsewhere.example'],
    [' Elsewhere.EXAMPLE ', 'elsewhere.example'],
    ['elsewhere.example.', 'elsewhere.example'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['a-b.c1.example', 'a-b.c1.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ])('%j is %j', (typed, name) => expect(domainName(typed)).toBe(name))

  test.each([
    '',
    ' ',
    '.',
    'localhost',
    'two words.example',
    'https://elsewhere.example',
    'elsewhere.example/path',
    'elsewhere.example?path',
    'elsewhere.example#path',
    'elsewhere.example\\path',
    'else%77here.example',
    'elsewhere.example:8080',
    'somebody@elsewhere.example',
    '-a.example',
    'a-.example',
    'a..example',
    '192.0.2.1',
    '[2001:db8::1]',
    'under_score.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
  ])('%j is none', (typed) => expect(domainName(typed)).toBeUndefined())
})

describe('the domain of an account', () => {
  test.each([
    ['elsewhere.example', 'elsewhere.example'],
    [' Elsewhere.EXAMPLE:8080 ', 'elsewhere.example:8080'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['localhost:3000', 'localhost:3000'],
    ['two words.example', undefined],
    ['elsewhere.example:port', undefined],
    [':8080', undefined],
    ['', undefined],
  ])('%j is %j', (typed, domain) => expect(accountDomain(typed)).toBe(domain))
})

describe('the name of another server', () => {
  test('is the name that is typed', () => expect(otherServer(' Elsewhere.Example', 'https://here.example')).toBe('elsewhere.example'))

  test.each([
    ['', "Domain can't be blank"],
    [' ', "Domain can't be blank"],
    ['two words.example', 'Domain is not a valid domain name'],
    ['HERE.example', 'Domain is the name of this server'],
  ])('%j is refused: %s', (typed, fault) => expect(() => otherServer(typed, 'https://here.example')).toThrow(`Validation failed: ${fault}`))
})

test('a domain is covered by itself and those above it, the most specific first', () =>
  expect(coveringDomains('a.b.example')).toEqual(['a.b.example', 'b.example', 'example']))

test('a domain that is written with the dot of the root is the same one', () =>
  expect(coveringDomains('b.example.')).toEqual(['b.example', 'example']))

test('a port is no part of the domain of a host', () => expect(coveringDomains('b.example.:8443')).toEqual(['b.example', 'example']))

test.each([
  ['b.example', 'wide'],
  ['a.b.example:3000', 'wide'],
  ['narrow.b.example.', 'narrow'],
  ['x.narrow.b.example', 'narrow'],
  ['bb.example', undefined],
] as const)('of what was decided of domains, %s falls under %s', (host, decision) => {
  const decisions = new Map([
    ['b.example', 'wide'],
    ['narrow.b.example', 'narrow'],
  ])
  expect(decisionFor(host, decisions)).toBe(decision)
})
