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
    ['https://far.example/@ann', undefined],
    [`${'a'.repeat(5000)}@far.example`, undefined],
  ])('who wrote it, named as %j', (name, creator) => expect(made(meta(['fediverse:creator', name]))?.card.creator).toEqual(creator))

  it('is nothing without a title', () => expect(made('<meta property="og:description" content="D">')).toBeUndefined())

  it.each([
    ['relative to the page', '../c.png', 'https://there.example/c.png'],
    ['of any server', '//else.example/c.png', 'https://else.example/c.png'],
    ['not of another scheme', 'data:image/png;base64,AAAA', undefined],
    ['not with credentials', 'https://a:b@there.example/c.png', undefined],
    ['not what is no address', 'https://', undefined],
  ])('its picture, %s', (_, content, url) => expect(made(meta(['og:image', content]))?.pictureUrl).toBe(url))
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
