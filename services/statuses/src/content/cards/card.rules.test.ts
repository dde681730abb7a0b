import { describe, expect, it } from 'vitest'
import { cardOf } from './card.rules.ts'
import { type Oembed, readOembed } from './oembed.rules.ts'
import { readPage } from './page.rules.ts'

const made = (html: string, oembed?: Partial<Oembed>) =>
  cardOf({
    page: readPage(html),
    pageUrl: 'https://there.example/a/b',
    oembed: oembed && readOembed(JSON.stringify({ type: 'link', ...oembed })),
    ownHost: 'rookery.example',
  })
const meta = (...named: [name: string, content: string][]) =>
  `<title>T</title>${named.map(([name, content]) => `<meta property="${name}" content="${content}">`).join('')}`

describe('what a page says', () => {
  it.each([
    ['its title', '<title> A\n b </title>', { title: 'A b' }],
    ['only the first title', '<title>A</title><svg><title>B</title></svg>', { title: 'A' }],
    ['Open Graph before its title', meta(['og:title', 'O']), { title: 'O' }],
    ['Twitter before its title', meta(['twitter:title', 'W']), { title: 'W' }],
    ['nothing of empty ones', meta(['og:title', ' ']), { title: 'T' }],
    ['the first of several', meta(['og:title', 'One'], ['og:title', 'Two']), { title: 'One' }],
    ['names in any case', '<title>T</title><META NAME="Description" CONTENT="D">', { description: 'D' }],
    ['no markup', meta(['og:title', '&lt;b&gt;B']), { title: '<b>B' }],
    ['nothing unseen', meta(['og:title', 'a\u0000b\u202ec\u200bd\ufeff']), { title: 'a b c d' }],
    ['halves of pairs as what they are', meta(['og:title', `${'a'.repeat(254)}😀😀`]), { title: `${'a'.repeat(254)}😀` }],
    ['its language', '<html lang="pt-BR"><title>T</title>', { language: 'pt' }],
    ['its locale', meta(['og:locale', 'de_AT']), { language: 'de' }],
    ['no language that is none', '<html lang="klingon!"><title>T</title>', { language: '' }],
    ['when it appeared', meta(['article:published_time', '2020-01-02']), { published_at: Date.UTC(2020, 0, 2) }],
    ['no time that is none', meta(['article:published_time', 'tomorrow']), { published_at: null }],
    ['no year of five digits', meta(['article:published_time', '+020000-01-01T00:00:00Z']), { published_at: null }],
    ['its author', meta(['article:author', 'Joel']), { author_name: 'Joel', author_url: '' }],
    ['its author by name', '<title>T</title><meta name="author" content=" Joel ">', { author_name: 'Joel', author_url: '' }],
    [
      'its author by both',
      meta(['article:author', ' HTTPS://there.example/joel '], ['author', 'Joel']),
      { author_name: 'Joel', author_url: 'https://there.example/joel' },
    ],
    [
      'no address as a name',
      meta(['author', ' HTTPS://there.example/joel ']),
      { author_name: '', author_url: 'https://there.example/joel' },
    ],
    [
      'a name that holds an address',
      meta(['author', 'Joel of https://there.example']),
      { author_name: 'Joel of https://there.example', author_url: '' },
    ],
    [
      'Open Graph, then Twitter, then itself',
      meta(['description', 'D'], ['twitter:description', 'W'], ['og:description', 'O']),
      { description: 'O' },
    ],
    ['Twitter before itself', meta(['description', 'D'], ['twitter:description', 'W']), { description: 'W' }],
    ['a description of 500 characters', meta(['description', 'd'.repeat(501)]), { description: 'd'.repeat(500) }],
    ['a name of 100 characters', meta(['author', 'd'.repeat(101)]), { author_name: 'd'.repeat(100) }],
    ['no space at the cut', meta(['description', `${'d'.repeat(499)} d`]), { description: 'd'.repeat(499) }],
    ['the name of its site', meta(['og:site_name', 'There']), { provider_name: 'There' }],
    ['what its picture shows', meta(['og:image:alt', 'tea'], ['twitter:image:alt', 'cup']), { image_description: 'tea' }],
    ['what its picture shows, by Twitter', meta(['twitter:image:alt', 'cup']), { image_description: 'cup' }],
    ['its language before its locale', `<html lang=" DE ">${meta(['og:locale', 'fr_FR'])}`, { language: 'de' }],
    ['no language with more before it', '<html lang="1de"><title>T</title>', { language: '' }],
    ['when it appeared, in old words', meta(['og:article:published_time', '2020-01-02']), { published_at: Date.UTC(2020, 0, 2) }],
    [
      'the last moment of four digits',
      meta(['article:published_time', '9999-12-31T23:59:59.999Z']),
      { published_at: Date.UTC(10_000, 0) - 1 },
    ],
    ['no moment after that', meta(['article:published_time', '+010000-01-01T00:00:00Z']), { published_at: null }],
    ['no time before 1970', meta(['article:published_time', '1970-01-01T00:00:00Z']), { published_at: null }],
    ['that it is a link, with no player', '<title>T</title>', { type: 'link', html: '', width: 0, height: 0 }],
    [
      'its author by address',
      meta(['article:author', 'https://there.example/joel']),
      { author_name: '', author_url: 'https://there.example/joel' },
    ],
  ])('%s', (_, html, card) => expect(made(html)?.card).toMatchObject(card))

  it.each([
    ['@Ann@Far.example', { username: 'ann', domain: 'far.example', host: 'there.example' }],
    ['ann@far.example:8443', { username: 'ann', domain: 'far.example:8443', host: 'there.example' }],
    [' @mara@rookery.example ', { username: 'mara', domain: null, host: 'there.example' }],
    ['ann', undefined],
    ['@ann@', undefined],
    ['by @ann@far.example', undefined],
    ['@ann@far.example!', undefined],
    ['https://far.example/@ann', undefined],
    [`${'a'.repeat(5000)}@far.example`, undefined],
  ])('who wrote it, named as %j', (name, creator) => expect(made(meta(['fediverse:creator', name]))?.card.creator).toEqual(creator))

  it('is nothing without a title', () => expect(made('<meta property="og:description" content="D">')).toBeUndefined())

  it.each([
    ['relative to the page', '../c.png', 'https://there.example/c.png'],
    ['of any server', '//else.example/c.png', 'https://else.example/c.png'],
    ['without encryption', ' http://there.example/c.png ', 'http://there.example/c.png'],
    ['of the most characters', 'https://there.example/'.padEnd(2048, 'c'), 'https://there.example/'.padEnd(2048, 'c')],
    ['not of more', 'https://there.example/'.padEnd(2049, 'c'), undefined],
    ['not of another scheme', 'data:image/png;base64,AAAA', undefined],
    ['not with credentials', 'https://a:b@there.example/c.png', undefined],
    ['not what is no address', 'https://', undefined],
  ])('its picture, %s', (_, content, url) => expect(made(meta(['og:image', content]))?.pictureUrl).toBe(url))
})

it.each([
  [['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']],
  [['og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']],
  [['og:image:url', 'twitter:image', 'twitter:image:src']],
  [['twitter:image', 'twitter:image:src']],
  [['twitter:image:src']],
])('of the pictures %j the first is shown', (names) => {
  const html = meta(...names.map((name, index): [string, string] => [name, `/${index}.png`]))
  expect(made(html)?.pictureUrl).toBe('https://there.example/0.png')
})

describe('a player', () => {
  const src = 'https://tube.example/1'
  const frame = (url: string) => `<iframe src="${url}">`
  const size: [string, string][] = [
    ['twitter:player:width', '64'],
    ['twitter:player:height', '48'],
  ]
  const page: [string, string] = ['og:video:type', 'Text/HTML; charset=utf-8']

  it.each<[string, ReturnType<typeof made>, { type: string; html: string; width: number; height: number }]>([
    ['of a Twitter card', made(meta(['twitter:player', src], ...size)), { type: 'video', html: src, width: 64, height: 48 }],
    ['without a size', made(meta(['twitter:player', src])), { type: 'video', html: src, width: 0, height: 0 }],
    [
      'with a size that is none',
      made(meta(['twitter:player', src], ['twitter:player:width', '64px'], ['twitter:player:height', 'x48'])),
      { type: 'video', html: src, width: 0, height: 0 },
    ],
    [
      'of Open Graph',
      made(meta(page, ['og:video', src], ['og:video:width', '64'], ['og:video:height', '48'])),
      { type: 'video', html: src, width: 64, height: 48 },
    ],
    ['by its address', made(meta(page, ['og:video', '/no'], ['og:video:url', src])), { type: 'video', html: src, width: 0, height: 0 }],
    [
      'by its safe address',
      made(meta(page, ['og:video:url', '/no'], ['og:video:secure_url', src])),
      { type: 'video', html: src, width: 0, height: 0 },
    ],
    [
      'of an oEmbed, before those of the page',
      made(meta(['twitter:player', 'https://else.example/2'], ...size), { type: 'video', html: frame(src), width: 6, height: 4 }),
      { type: 'video', html: src, width: 6, height: 4 },
    ],
    [
      'of a rich oEmbed',
      made(meta(), { type: 'rich', html: frame(src), width: 6, height: 4 }),
      { type: 'rich', html: src, width: 6, height: 4 },
    ],
  ])('%s is framed', (_which, draft, { html, ...expected }) => {
    expect(draft?.card).toMatchObject(expected)
    expect(draft?.card.html).toMatch(`<iframe src="${html}"`)
  })

  it.each([
    ['a file of Open Graph', meta(['og:video', src], ['og:video:type', 'video/mp4'])],
    ['a page of this server', meta(['twitter:player', 'https://rookery.example/1'], ...size)],
    ['a page without encryption', meta(['twitter:player', 'http://tube.example/1'], ...size)],
  ])('that is %s is none', (_which, html) => expect(made(html)?.card).toMatchObject({ type: 'link', html: '', width: 0, height: 0 }))

  it('of an oEmbed that says it is a link is none', () =>
    expect(made(meta(), { type: 'link', html: frame(src), width: 6 })?.card).toMatchObject({ type: 'link', html: '', width: 0 }))
})

describe('a photo', () => {
  it.each<[string, Partial<Oembed>, string, string | undefined]>([
    ['is the picture, before that of the page', { type: 'photo', url: '/p.png' }, 'photo', 'https://there.example/p.png'],
    ['without an address is a link', { type: 'photo', url: 'data:,' }, 'link', 'https://there.example/o.png'],
    ['is none that its oEmbed calls a link', { type: 'link', url: '/p.png' }, 'link', 'https://there.example/o.png'],
  ])('%s', (_what, oembed, type, pictureUrl) => {
    const draft = made(meta(['og:image', '/o.png']), oembed)
    expect([draft?.card.type, draft?.pictureUrl]).toEqual([type, pictureUrl])
  })
})

describe('what its oEmbed says', () => {
  it('comes first', () => {
    expect(made(meta(['og:title', 'O']), { title: 'E', providerName: 'no such field' })?.card).toMatchObject({
      title: 'E',
      provider_name: '',
    })
  })
  it('is ignored where it is no address', () => {
    const card = cardOf({
      page: readPage('<title>T</title>'),
      pageUrl: 'https://there.example/',
      oembed: readOembed('{"type":"link","author_url":"javascript:alert(1)","provider_url":"ftp://x"}'),
      ownHost: 'rookery.example',
    })
    expect(card?.card).toMatchObject({ author_url: '', provider_url: '' })
  })
  it.each(['', 'null', '[]', '1', '{}', '{"type":"constructor"}', '{"type":7}', '{'])('is none: %j', (json) => {
    expect(readOembed(json)).toBeUndefined()
  })
  it.each([
    [640, 640],
    ['480', 480],
    ['480px', 480],
    ['100%', 0],
    [null, 0],
    [-5, 0],
    [1e9, 0],
  ])('has the width %j as %d', (typed, width) => {
    expect(readOembed(JSON.stringify({ type: 'video', width: typed }))?.width).toBe(width)
  })
})
