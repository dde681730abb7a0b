import { expect, test } from 'vitest'
import { fingerOf, handleOf, lrddOf } from './webfinger.rules.ts'

const PUBLIC = { allowsPrivate: false }

test.each([
  ['ann@there.example', { username: 'ann', domain: 'there.example' }],
  ['@ann@There.Example', { username: 'ann', domain: 'there.example' }],
  ['acct:ann@there.example', { username: 'ann', domain: 'there.example' }],
  ['ann@bücher.example', { username: 'ann', domain: 'xn--bcher-kva.example' }],
  ['ann', undefined],
  ['ann@', undefined],
  ['ann@localhost', undefined],
  ['ann@127.0.0.1', undefined],
  [' ann@there.example ', { username: 'ann', domain: 'there.example' }],
  ['ann@there.example:8080', undefined],
  ['ann@there.example/evil', undefined],
  ['ann@there.example?x', undefined],
  ['a n@there.example', undefined],
])('%s', (text, handle) => expect(handleOf(text, PUBLIC)).toEqual(handle))

test('hosts of one machine are names where private addresses are allowed', () => {
  expect(handleOf('ben@localhost:8710', { allowsPrivate: true })).toEqual({ username: 'ben', domain: 'localhost:8710' })
  expect(handleOf('ben@LocalHost', { allowsPrivate: true })).toEqual({ username: 'ben', domain: 'localhost' })
  for (const host of ['local_host', '_localhost', 'localhost_', 'localhost:8710x'])
    expect(handleOf(`ben@${host}`, { allowsPrivate: true })).toBeUndefined()
  expect(handleOf('ben@127.0.0.1:8710', { allowsPrivate: true })).toEqual({ username: 'ben', domain: '127.0.0.1:8710' })
})

const SELF = { rel: 'self', type: 'application/activity+json', href: 'https://there.example/users/ann' }

test.each<[string, unknown[], string | undefined]>([
  ['activity JSON', [{ rel: 'profile' }, SELF], SELF.href],
  ['JSON-LD', [{ ...SELF, type: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"' }], SELF.href],
  ['activity JSON in other letters, with a parameter', [{ ...SELF, type: 'Application/Activity+JSON ; charset=utf-8' }], SELF.href],
  ['a link behind a hundred others', [...Array(100).fill({ rel: 'profile' }), SELF], undefined],
  ['a link behind 99 others', [...Array(99).fill({ rel: 'profile' }), SELF], SELF.href],
  ['a page', [{ ...SELF, type: 'text/html' }], undefined],
  ['no address', [{ ...SELF, href: 'tea' }], undefined],
  ['no links', [], undefined],
  ['no objects', [null, 7, 'tea'], undefined],
])('the actor of an answer with %s', (_, links, uri) => {
  expect(fingerOf({ subject: 'acct:ann@there.example', links })?.actorUri).toBe(uri)
})

test('an answer without a subject or with links of another form names no one', () => {
  expect(fingerOf({ links: [SELF] })).toBeUndefined()
  expect(fingerOf({ subject: 'acct:ann@there.example', links: { 0: SELF } })).toBeUndefined()
})

const LINK = '<Link rel="lrdd" type="application/xrd+xml" template="https://web.example/.well-known/webfinger?resource={uri}"/>'
const ASKED = 'https://web.example/.well-known/webfinger?resource=acct%3Aann%40a.example'

test.each([
  ['a link', `<XRD>${LINK}</XRD>`, ASKED],
  [
    'a link with a prefix, in other letters',
    `<xrd:XRD><xrd:LINK template='https://web.example/.well-known/webfinger?resource={uri}' rel='lrdd' /></xrd:XRD>`,
    ASKED,
  ],
  ['a link behind others', `<XRD><Link rel="restconf" href="/r"/>${LINK}</XRD>`, ASKED],
  ['entities', '<Link rel="lrdd" template="https://web.example/w?a=1&amp;r={uri}"/>', 'https://web.example/w?a=1&r=acct%3Aann%40a.example'],
  ['no place for who is asked for', '<Link rel="lrdd" template="https://web.example/w"/>', undefined],
  ['no web address', '<Link rel="lrdd" template="file:///etc/passwd?{uri}"/>', undefined],
  ['another relation', LINK.replace('lrdd', 'self'), undefined],
  ['nothing', '', undefined],
])('where a domain has handles asked for, with %s', (_case, xrd, address) => {
  expect(lrddOf(xrd, 'acct:ann@a.example')).toBe(address)
})
