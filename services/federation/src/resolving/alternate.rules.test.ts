import { expectLessProcessorTime } from '@rookery/test-cost'
import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { alternateOf } from './alternate.rules.ts'

const page = (html: string, link?: string) => ({ url: 'https://far.example/posts/9', html, link })
const NOTE = 'https://far.example/notes/9'

test.each([
  ['an element', page(`<link rel="alternate" type="application/activity+json" href="${NOTE}">`), NOTE],
  ['an element in other letters, without quotes', page(`<LINK TYPE=application/activity+json REL=alternate HREF=${NOTE}>`), NOTE],
  ['an element with a relative address', page(`<link rel='alternate' type='application/activity+json' href='/notes/9'>`), NOTE],
  [
    'an element with entities',
    page(`<link rel="alternate" type="application/activity+json" href="/?p=9&amp;a=1">`),
    'https://far.example/?p=9&a=1',
  ],
  [
    'an element of several relations, in other letters, with a parameter',
    page(`<link rel="Canonical ALTERNATE" type="Application/Activity+JSON ; charset=utf-8" href="${NOTE}">`),
    NOTE,
  ],
  [
    'JSON-LD of ActivityStreams, with a space',
    page(`<link rel="alternate" type='application/ld+json ; profile="https://www.w3.org/ns/activitystreams"' href="${NOTE}">`),
    NOTE,
  ],
  [
    'JSON-LD of ActivityStreams',
    page(`<link rel="alternate" type='application/ld+json; profile="https://www.w3.org/ns/activitystreams"' href="${NOTE}">`),
    NOTE,
  ],
  ['a header', page('', `<${NOTE}>; rel="alternate"; type="application/activity+json"`), NOTE],
  [
    'one of several headers',
    page('', `</feed>; rel="alternate"; type="application/rss+xml", <${NOTE}>; type=application/activity+json; rel=alternate`),
    NOTE,
  ],
  [
    'a header before an element',
    page(
      `<link rel="alternate" type="application/activity+json" href="/other">`,
      `<${NOTE}>; rel="alternate"; type="application/activity+json"`,
    ),
    NOTE,
  ],
  ['a feed alone', page('<link rel="alternate" type="application/rss+xml" href="/feed">'), undefined],
  ['JSON-LD of anything', page('<link rel="alternate" type="application/ld+json" href="/ld">'), undefined],
  ['another relation', page('<link rel="stylesheet" type="application/activity+json" href="/a">'), undefined],
  ['no web address', page('<link rel="alternate" type="application/activity+json" href="javascript:alert(1)">'), undefined],
  ['nothing', page(''), undefined],
])('a page with %s', (_case, given, address) => {
  expect(alternateOf(given)).toBe(address)
})

it('leads to the web or nowhere, whatever a page holds', () => {
  const part = fc.constantFrom(
    '<link ',
    '>',
    '"',
    "'",
    ' rel=alternate',
    ' type="application/activity+json"',
    ' href=',
    '/x',
    '<',
    ';',
    ',',
    '&#0;',
    'http://[',
    'x',
  )
  const text = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, (html, link) => {
      const found = alternateOf(page(html, link))
      expect(found === undefined || /^https?:/.test(found)).toBe(true)
    }),
    { seed: 20_261_127, numRuns: 1000 },
  )
})

it('is looked for in a megabyte of openings without end within a second', async () => {
  const endless = page('<link rel='.repeat(100_000), '<a; '.repeat(4000))
  await expectLessProcessorTime(1000, () => alternateOf(endless))
})
