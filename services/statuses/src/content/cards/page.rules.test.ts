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
  it.each(SOURCES)('of %s take time in proportion', (_, source) => {
    const begun = process.cpuUsage()
    const page = readPage(BEGINNING + source)
    expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000)
    expect([page.title, page.meta.get('a')]).toEqual(['T', 'b'])
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
