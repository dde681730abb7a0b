import { expectLessProcessorTime } from '@rookery/test-cost'
import { describe, expect, it } from 'vitest'
import { readPage } from './page.rules.ts'

const BEGINNING = '<title>T</title><meta name=a content=b>'

const SOURCES: [what: string, source: string][] = [
  ['elements within elements, and the ends of others', '<i>'.repeat(150_000) + '</b>'.repeat(125_000)],
  ['ends of what never began', '<b></i>'.repeat(140_000)],
  ['an attribute that never ends', `<p a="${'<'.repeat(1_000_000)}`],
  ['attributes without end', `<p ${'a'.repeat(10)}${' b=c'.repeat(250_000)}`],
  ['tags that never end', '<div '.repeat(200_000)],
  ['comments that never end', '<!--'.repeat(250_000)],
  ['references', '&amp;'.repeat(200_000)],
  ['scripts that never end', '<script>'.repeat(125_000)],
  ['titles', '<title>'.repeat(140_000)],
]

describe('a million characters', () => {
  // A hundred times the usual cost; without a limit of depth the first case takes half a minute.
  it.each(SOURCES)('of %s take time in proportion', async (_, source) => {
    await expectLessProcessorTime(5000, () => {
      const page = readPage(BEGINNING + source)
      expect([page.title, page.meta.get('a')]).toEqual(['T', 'b'])
    })
  })
})

describe('an oEmbed', () => {
  it.each([
    ['is found', '<link rel="alternate" type="application/json+oembed" href="/o">', '/o'],
    ['is found in other words', '<LINK REL="nofollow ALTERNATE" TYPE="text/json+oembed" HREF="/o">', '/o'],
    [
      'is the first',
      '<link rel=alternate type="application/json+oembed" href=1><link rel=alternate type="application/json+oembed" href=2>',
      '1',
    ],
    ['is no XML', '<link rel="alternate" type="text/xml+oembed" href="/o">', undefined],
    ['is no feed', '<link rel="alternate" type="application/rss+xml" href="/o">', undefined],
  ])('%s', (_, html, href) => expect(readPage(html).oembed).toBe(href))
})

describe('a page says', () => {
  it.each([
    ['its language', '<html lang="de"><title>T</title>', { title: 'T', language: 'de' }],
    ['no language of another element', '<p lang="de">', { language: '' }],
    ['no language where its root names none', '<html>', { language: '' }],
    ['no title outside of the element', 'a<title>T</title>b', { title: 'T' }],
    ['its first title', '<title>T<b>U</b></title><title>V</title>', { title: 'T<b>U</b>' }],
    ['its title after other elements', '<p></p><title>T</title>', { title: 'T' }],
    ['an oEmbed of a type in other letters', '<link rel="alternate" type="Application/JSON+oEmbed" href="/o">', { oembed: '/o' }],
    ['nothing as deep as no page is', `${'<i>'.repeat(256)}<title>T</title>`, { title: '' }],
    ['its title at the last depth', `${'<i>'.repeat(255)}<title>T</title>`, { title: 'T' }],
  ])('%s', (_what, html, expected) => expect(readPage(html)).toMatchObject(expected))

  it.each([
    ['by property', '<meta property=" OG:Title " content="T">', [['og:title', 'T']]],
    ['by name', '<meta name="author" content="T">', [['author', 'T']]],
    ['by property rather than name', '<meta name="a" property="b" content="T">', [['b', 'T']]],
    ['by the first of a name', '<meta name="a" content="1"><meta name="a" content="2">', [['a', '1']]],
    ['by the first with content', '<meta name="a" content=" "><meta name="a" content="2">', [['a', '2']]],
    ['nothing by one without content', '<meta name="a">', []],
    ['nothing by one without a name', '<meta content="a">', []],
    ['nothing by another element', '<p name="a" content="b">', []],
  ])('of itself %s', (_how, html, expected) => expect([...readPage(html).meta]).toEqual(expected))
})
