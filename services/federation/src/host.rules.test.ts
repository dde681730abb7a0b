import { expect, test } from 'vitest'
import { hostOf, isActorUri, isSameDocument, isSameHost } from './host.rules.ts'

test('hosts are compared with their ports, and nothing is on the host of what is no address', () => {
  expect(hostOf('https://There.Example:443/a')).toBe('there.example')
  expect(hostOf('http://there.example:8080/a')).toBe('there.example:8080')
  expect(hostOf('javascript:alert(1)')).toBeUndefined()
  expect(isSameHost('https://a.example/1', 'https://a.example/2')).toBe(true)
  expect(isSameHost('https://a.example', 'https://b.a.example')).toBe(false)
  expect(isSameHost('tea', 'tea')).toBe(false)
})

test('addresses that differ by their fragments are of one document', () => {
  expect(isSameDocument('https://a.example/1#main', 'https://A.example:443/1')).toBe(true)
  expect(isSameDocument('https://a.example/1', 'https://a.example/2')).toBe(false)
  expect(isSameDocument('https://a.example/1', 'https://a.example/1?page=true')).toBe(false)
  expect(isSameDocument('tea', 'tea')).toBe(false)
  expect(isSameDocument('file:///etc/passwd', 'file:///etc/passwd')).toBe(false)
})

test.each([
  ['of one character', 'a', true],
  ['of the most bytes', 'a'.repeat(480), true],
  ['of one byte more', 'a'.repeat(481), false],
  ['of fewer characters but more bytes', 'ä'.repeat(241), false],
  ['of none', '', false],
])('the id of an actor %s is short enough: %#', (_what, uri, expected) => expect(isActorUri(uri)).toBe(expected))
