import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderFieldValue, renderNote, renderStatus } from './index.ts'

const place = {
  baseUrl: 'https://rookery.example',
  domain: 'rookery.example',
  mentions: new Map([['mara', { username: 'Mara' }]]),
}

const mara =
  '<span class="h-card" translate="no"><a href="https://rookery.example/@Mara" class="u-url mention">@<span>Mara</span></a></span>'
const tag = (typed: string, path = typed) =>
  `<a href="https://rookery.example/tags/${path}" class="mention hashtag" rel="tag">#<span>${typed}</span></a>`
const link = (url: string, [prefix, visible, rest]: [string, string, string], rel = 'nofollow noopener') =>
  `<a href="${url}" target="_blank" rel="${rel}" translate="no"><span class="invisible">${prefix}</span>` +
  `<span class="${rest ? 'ellipsis' : ''}">${visible}</span><span class="invisible">${rest}</span></a>`

const a = (count: number) => 'a'.repeat(count)

const STATUSES: [text: string, html: string][] = [
  ['', ''],
  ['\n\n', ''],
  ['tea', '<p>tea</p>'],
  ['one\ntwo', '<p>one<br />two</p>'],
  ['one\n\ntwo\n\n\n\nthree', '<p>one</p><p>two</p><p>three</p>'],
  ['one\r\ntwo\r\rthree', '<p>one<br />two</p><p>three</p>'],
  ['\n\none\n\n', '<p>one</p>'],
  [`& < > " '`, '<p>&amp; &lt; &gt; &quot; &#39;</p>'],
  ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['&amp;', '<p>&amp;amp;</p>'],
  [':rook:', '<p>:rook:</p>'],
  ['@mara', `<p>${mara}</p>`],
  ['@MARA hello', `<p>${mara} hello</p>`],
  ['@mara@rookery.example', `<p>${mara}</p>`],
  ['@mara@Rookery.Example', `<p>${mara}</p>`],
  ['@mara@else.example', '<p>@mara@else.example</p>'],
  ['@nobody', '<p>@nobody</p>'],
  ['@constructor', '<p>@constructor</p>'],
  ['#Tea', `<p>${tag('Tea')}</p>`],
  ['＃Tea', `<p>${tag('Tea')}</p>`],
  ['#Café', `<p>${tag('Café', 'cafe')}</p>`],
  ['#日本', `<p>${tag('日本', '%E6%97%A5%E6%9C%AC')}</p>`],
  ['#2024', '<p>#2024</p>'],
  ['#\u3164', '<p>#\u3164</p>'],
  ['https://example.com', `<p>${link('https://example.com', ['https://', 'example.com', ''])}</p>`],
  ['http://www.example.com/', `<p>${link('http://www.example.com/', ['http://www.', 'example.com/', ''])}</p>`],
  [`https://example.com/${a(18)}`, `<p>${link(`https://example.com/${a(18)}`, ['https://', `example.com/${a(18)}`, ''])}</p>`],
  [`https://example.com/${a(19)}`, `<p>${link(`https://example.com/${a(19)}`, ['https://', `example.com/${a(19)}`, ''])}</p>`],
  [`https://example.com/${a(20)}`, `<p>${link(`https://example.com/${a(20)}`, ['https://', `example.com/${a(18)}`, 'aa'])}</p>`],
  [
    `https://example.com/?a=1&b='x`,
    `<p>${link('https://example.com/?a=1&amp;b=&#39;x', ['https://', 'example.com/?a=1&amp;b=&#39;x', ''])}</p>`,
  ],
  [
    `https://example.com/${'😀'.repeat(20)}`,
    `<p>${link(`https://example.com/${'😀'.repeat(20)}`, ['https://', `example.com/${'😀'.repeat(18)}`, '😀😀'])}</p>`,
  ],
  ['\u0000\ud800', '<p>\u0000\ud800</p>'],
]

describe('renderStatus', () => {
  it.each(STATUSES)('renders %j', (text, html) => expect(renderStatus(text, place)).toBe(html))

  it('quotes what it is given', () => {
    const odd = { ...place, baseUrl: 'https://"><x', mentions: new Map([['mara', { username: '"><x' }]]) }
    expect(renderStatus('@mara #tea', odd)).not.toContain('<x')
  })
})

describe('renderNote', () => {
  it('renders as a status', () => expect(renderNote('one\n\n#tea', place)).toBe(`<p>one</p><p>${tag('tea')}</p>`))
})

describe('renderFieldValue', () => {
  it.each([
    ['tea', 'tea'],
    ['one\n\ntwo', 'one two'],
    ['https://example.com', link('https://example.com', ['https://', 'example.com', ''], 'nofollow noopener me')],
    ['@mara <b>', `${mara} &lt;b&gt;`],
  ])('renders %j', (text, html) => expect(renderFieldValue(text, place)).toBe(html))
})

/** The text that a browser would show, with the end of a paragraph as two line feeds. */
const textOf = (html: string) =>
  html
    .replaceAll('</p><p>', '\n\n')
    .replaceAll('<br />', '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name as string]!)

const pieces = fc.constantFrom(
  '@mara',
  '@',
  '#tea',
  '#',
  'https://a.example/',
  ')',
  '<b>',
  '&amp;',
  '"',
  "'",
  ' ',
  '\n',
  '\r\n',
  'é',
  '😀',
  '\u0000',
  '\ud800',
)
const texts = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''))

describe('any text', () => {
  it('becomes tags of our own and nothing else', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const html of [renderStatus(text, place), renderFieldValue(text, place)]) {
          const rest = html.replace(/<(?:p|br \/|(?:a|span)(?: [a-z]+="[^"<>]*")*|\/p|\/a|\/span)>/g, '')
          expect(rest).not.toMatch(/[<>"']/)
          expect(html).not.toContain('\n')
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is still there when the tags are taken away', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const expected = text
          .replace(/\r\n?/g, '\n')
          .replace(/\n{2,}/g, '\n\n')
          .replace(/^\n\n|\n\n$/g, '')
        // A full-width sign is rendered as a plain one, and a mention in the account's own spelling.
        const plain = (shown: string) => shown.replaceAll('＃', '#').toLowerCase()
        expect(plain(textOf(renderStatus(text, place)))).toBe(plain(expected))
      }),
      { numRuns: 500 },
    )
  })
})
