import { gzipSync } from 'node:zlib'
import { expectLessProcessorTime } from '@rookery/test-cost'
import { type Person, World } from '@rookery/test-world'
import { stranger } from '@rookery/test-world/elsewhere'
import { openPageServer } from '@rookery/test-world/page-server'
import { query, saidLongAgo } from '@rookery/test-world/queries'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let mara: Person
let pages: Awaited<ReturnType<typeof openPageServer>>

beforeAll(async () => {
  pages = await openPageServer()
  world = await World.open({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    mayConnect: ({ address, port }) => address === '127.0.0.1' && port === pages.port,
  })
  ;({ mara } = await world.cast('mara'))
})
afterAll(async () => {
  await world.close()
  await pages.close()
})

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** One pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const picture = (path: string) => pages.serve(path, (response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end(PICTURE))
const json = (path: string, value: unknown) => pages.page(path, JSON.stringify(value), 'application/json+oembed')

/** Events acted on, jobs run, and what followed from them. */
const whenIdle = async () => {
  await world.idle()
  await world.rookery.runJobs()
  await world.idle()
}
const cardOf = async (status: { id: string }) => (await mara.get(`/api/v1/statuses/${status.id}`)).body.card
/** The card that a status with a link to the path has in the end. */
const cardAt = async (path: string) => {
  const status = await mara.says(`look: ${pages.at(path)}`)
  await whenIdle()
  return cardOf(status)
}
const rows = async (text: string) => {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

describe('a card', () => {
  test('comes after posting, whole, with a picture of our own', async () => {
    picture('/tea.png')
    pages.page(
      '/tea',
      `<!doctype html><html lang="en-GB"><head><title>not this</title>
      <meta property="og:title" content="Tea &amp; &#x202e;toast\u0007"><meta property="og:description" content="  All\n about   it ">
      <meta property="og:site_name" content="Tea Times"><meta property="og:image" content="/tea.png"><meta property="og:image:alt" content="A cup">
      <meta name="author" content="Joel"><meta property="article:published_time" content="2020-01-02T03:04:05+01:00"></head></html>`,
    )
    const status = await mara.says(`first ${world.origin}/@mara then ${pages.at('/tea#cup')} and ${pages.at('/other')}`)
    expect(status.card).toBeNull()
    await world.idle()
    expect(await cardOf(status)).toBeNull()
    await whenIdle()
    const card = await cardOf(status)
    expect(card).toEqual({
      url: pages.at('/tea#cup'),
      title: 'Tea & toast',
      description: 'All about it',
      language: 'en',
      type: 'link',
      author_name: 'Joel',
      author_url: '',
      provider_name: 'Tea Times',
      provider_url: '',
      html: '',
      width: 1,
      height: 1,
      image: expect.stringMatching(`^${world.origin}/media/[0-9a-f]{32}\\.png$`),
      image_description: 'A cup',
      embed_url: '',
      blurhash: expect.stringMatching(/^.{6,}$/),
      published_at: '2020-01-02T02:04:05.000Z',
      authors: [{ name: 'Joel', url: '', account: null }],
    })
    expect((await fetch(card.image)).status).toBe(200)
    expect(pages.timesAsked('/other')).toBe(0)
    expect((await mara.home()).find(({ id }) => id === status.id).card).toEqual(card)
    expect((await world.get(`/api/v1/statuses/${status.id}`)).body.card).toEqual(card)
  })

  describe('of a page that names who wrote it', () => {
    let people = 0
    const newsAt = (host: string, path: string) => `http://${host}:${pages.port}${path}`
    const host = () => new URL(world.address).host
    /** Someone of this server, and a status that links to what they wrote. */
    const written = async (by: { domains: string[]; creator?: (name: string) => string; host?: string; more?: string }) => {
      const name = `writer${++people}`
      const { [name]: author } = await world.cast(name)
      const writer = author!
      await writer.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { attribution_domains: by.domains } })
      const creator = (by.creator ?? ((username) => `@${username}@${host()}`))(name)
      pages.page(`/${name}`, `<title>News</title><meta name="fediverse:creator" content="${creator}">${by.more ?? ''}`)
      const status = await mara.says(newsAt(by.host ?? 'news.birds.example', `/${name}`))
      await whenIdle()
      return { writer, status }
    }
    const authorsOf = async (status: { id: string }) => (await cardOf(status)).authors

    test('has their account, as it is now, while they name the domain of the page', async () => {
      const more = '<meta name="author" content="W. Riter">'
      const { writer, status } = await written({ domains: ['birds.example'], more })
      const [author, ...others] = await authorsOf(status)
      expect(others).toEqual([])
      expect(author).toEqual({ name: 'W. Riter', url: '', account: (await world.get(`/api/v1/accounts/${writer.id}`)).body })
      expect((await mara.home()).find(({ id }) => id === status.id).card.authors).toEqual([author])
      await writer.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Wren' } })
      expect((await authorsOf(status))[0].account.display_name).toBe('Wren')
      await writer.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { attribution_domains: ['news.birds.example.org'] } })
      expect(await authorsOf(status)).toEqual([{ name: 'W. Riter', url: '', account: null }])
    })

    test('has it alone where the page says no name', async () => {
      const { writer, status } = await written({ domains: ['news.birds.example'] })
      expect(await authorsOf(status)).toMatchObject([{ name: '', url: '', account: { id: writer.id } }])
    })

    test.each([
      ['they name another domain', { domains: ['other.example'] }],
      ['they name a domain below that of the page', { domains: ['uk.news.birds.example'] }],
      ['they name a domain that ends likewise', { domains: ['birds.example'], host: 'blackbirds.example' }],
      ['they name none', { domains: [] }],
      ['there is no such person', { domains: ['birds.example'], creator: () => '@no_one@far.example' }],
      ['it names no handle', { domains: ['birds.example'], creator: (name: string) => name }],
    ])('has none where %s', async (_why, by) => {
      const { status } = await written(by)
      expect(await cardOf(status)).toMatchObject({ title: 'News', authors: [] })
    })

    test('has none where another page leads there', async () => {
      const { status } = await written({ domains: ['birds.example'], host: 'evil.example' })
      expect(await authorsOf(status)).toEqual([])
      pages.serve('/away', (response) => response.writeHead(302, { location: newsAt('evil.example', `/writer${people}`) }).end())
      const led = await mara.says(newsAt('birds.example', '/away'))
      await whenIdle()
      expect(await cardOf(led)).toMatchObject({ title: 'News', authors: [] })
    })

    test('has none while its author is suspended', async () => {
      const { writer, status } = await written({ domains: ['birds.example'] })
      expect(await authorsOf(status)).toHaveLength(1)
      const owner = await world.owner(`owner${people}`)
      await owner.post(`/api/v1/admin/accounts/${writer.id}/action`, { type: 'suspend' })
      await whenIdle()
      expect(await authorsOf(status)).toEqual([])
    })

    test('has the account of someone of another server once they are known', async () => {
      const { status } = await written({ domains: [], creator: () => '@Ann@far.example' })
      expect(await authorsOf(status)).toEqual([])
      await stranger(world, 'ann', 'far.example', { attributionDomains: ['birds.example', 'no domain'] })
      expect(await authorsOf(status)).toMatchObject([{ account: { acct: 'ann@far.example' } }])
    })
  })

  test('of plain HTML says what that says, in any charset', async () => {
    pages.serve('/plain', (response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(Buffer.from('<meta charset=latin1><title>Thé</title><meta name=description content="vert">', 'latin1')),
    )
    expect(await cardAt('/plain')).toMatchObject({
      title: 'Thé',
      description: 'vert',
      type: 'link',
      image: null,
      blurhash: null,
      authors: [],
    })
  })

  test('is not made of what has no title, no page or a status with files', async () => {
    pages.page('/untitled', '<p>tea</p>')
    pages.page('/text', 'tea', 'text/plain')
    pages.page('/pictured', '<title>Tea</title>')
    expect([await cardAt('/untitled'), await cardAt('/text'), await cardAt('/missing')]).toEqual([null, null, null])
    const form = new FormData()
    form.set('file', new File([PICTURE], 'dot.png', { type: 'image/png' }))
    const { id } = (await mara.asks('POST', '/api/v2/media', { body: form })).body
    const status = await mara.says(pages.at('/pictured'), { media_ids: [id] })
    await whenIdle()
    expect(await cardOf(status)).toBeNull()
    expect(pages.timesAsked('/pictured')).toBe(0)
  })

  test('bounds what it says', async () => {
    pages.page('/long', `<title>${'é'.repeat(5000)}</title><meta name=description content="${'b'.repeat(5000)}">`)
    const card = await cardAt('/long')
    expect([card.title.length, card.description.length]).toEqual([255, 500])
  })
})

describe('oEmbed', () => {
  const discovered = (path: string, oembed: unknown) => {
    json(`${path}.json`, oembed)
    pages.page(path, `<title>Page</title><link rel="alternate" type="application/json+oembed" href="${path}.json">`)
    return cardAt(path)
  }

  test('gives a video its frame and nothing else of its HTML', async () => {
    const html =
      '<script>steal()</script><b onclick="x">b</b><iframe src="https://player.example/1?a=1&amp;b=2" width="640" height="360" onload="steal()" srcdoc="<p>"></iframe><iframe src="https://second.example/"></iframe>'
    const card = await discovered('/video', {
      version: '1.0',
      type: 'video',
      title: 'Film',
      author_name: 'Joel',
      author_url: 'https://player.example/joel',
      provider_name: 'Player',
      provider_url: 'https://player.example/',
      width: 640,
      height: 360,
      html,
    })
    expect(card).toMatchObject({
      type: 'video',
      title: 'Film',
      author_name: 'Joel',
      author_url: 'https://player.example/joel',
      provider_name: 'Player',
      provider_url: 'https://player.example/',
      width: 640,
      height: 360,
      authors: [{ name: 'Joel', url: 'https://player.example/joel', account: null }],
    })
    expect(card.html).toBe(
      '<iframe src="https://player.example/1?a=1&amp;b=2" width="640" height="360" frameborder="0" allowfullscreen="true" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>',
    )
  })

  test.each([
    ['a script', '<script src="https://player.example/x.js"></script>'],
    ['a frame that is no https', '<iframe src="http://player.example/"></iframe>'],
    ['a frame of script', '<iframe src="javascript:alert(1)"></iframe>'],
    ['a frame of data', '<iframe src="data:text/html,x"></iframe>'],
    ['a frame without an address', '<iframe srcdoc="<script>1</script>"></iframe>'],
    ['very much', `<iframe src="https://player.example/"></iframe>${' '.repeat(20_000)}`],
  ])('with %s makes a plain link', async (what, html) => {
    const card = await discovered(`/rich-${what.replaceAll(' ', '-')}`, { version: '1.0', type: 'rich', title: 'Rich', html })
    expect(card).toMatchObject({ type: 'link', title: 'Rich', html: '' })
  })

  test('gives a photo, shown as our copy', async () => {
    picture('/photo.png')
    const card = await discovered('/photo', { version: '1.0', type: 'photo', url: '/photo.png', width: 1, height: 1 })
    expect(card).toMatchObject({ type: 'photo', title: 'Page', embed_url: card.image, image: expect.stringContaining('/media/') })
  })

  test('that is none leaves what the page says', async () => {
    expect(await discovered('/array', [])).toMatchObject({ type: 'link', title: 'Page' })
    expect(await discovered('/numbers', { type: 'video', title: 7, html: {} })).toMatchObject({ type: 'link', title: 'Page' })
  })

  test('of a player that the page names is a video', async () => {
    pages.page(
      '/player',
      '<title>P</title><meta name="twitter:player" content="https://player.example/a&quot;b"><meta name="twitter:player:width" content="480"><meta name="twitter:player:height" content="270">',
    )
    const card = await cardAt('/player')
    expect(card).toMatchObject({ type: 'video', width: 480, height: 270 })
    expect(card.html).toContain('<iframe src="https://player.example/a%22b" width="480" height="270"')
  })
})

describe('a page', () => {
  test('is asked for once however many statuses link to it, and again after two weeks', async () => {
    pages.page('/once', '<title>One</title>')
    const said = await Promise.all([1, 2, 3, 4, 5].map((each) => mara.says(`${each} ${pages.at('/once')}`)))
    await whenIdle()
    for (const status of said) expect((await cardOf(status)).title).toBe('One')
    const later = await mara.says(`later ${pages.at('/once#there')}`)
    await world.idle()
    expect(await cardOf(later)).toMatchObject({ title: 'One', url: pages.at('/once#there') })
    await whenIdle()
    expect(pages.timesAsked('/once')).toBe(1)
    pages.page('/once', '<title>Two</title>')
    await world.advance(15 * DAY)
    await mara.says(`much later ${pages.at('/once')}`)
    await whenIdle()
    expect(pages.timesAsked('/once')).toBe(2)
    expect([await cardOf(said[0]), await cardOf(later)]).toMatchObject([{ title: 'Two' }, { title: 'Two' }])
  })

  test('whose server has trouble is asked for three times, then left alone for a day', async () => {
    pages.serve('/trouble', (response) => response.writeHead(500, { 'Content-Type': 'text/html' }).end())
    const status = await mara.says(pages.at('/trouble'))
    await whenIdle()
    await mara.says(`again ${pages.at('/trouble')}`)
    await whenIdle()
    expect(pages.timesAsked('/trouble')).toBe(1)
    await world.advance(2 * MINUTE)
    expect(pages.timesAsked('/trouble')).toBe(2)
    await world.advance(11 * MINUTE)
    expect(pages.timesAsked('/trouble')).toBe(3)
    await world.advance(60 * MINUTE)
    await mara.says(`once more ${pages.at('/trouble')}`)
    await whenIdle()
    expect(pages.timesAsked('/trouble')).toBe(3)
    pages.page('/trouble', '<title>Well again</title>')
    await world.advance(2 * DAY)
    await mara.says(`at last ${pages.at('/trouble')}`)
    await whenIdle()
    expect((await cardOf(status)).title).toBe('Well again')
  })

  test('that fails later leaves the card that is there', async () => {
    pages.page('/kept', '<title>Kept</title>')
    const status = await mara.says(pages.at('/kept'))
    await whenIdle()
    pages.serve('/kept', (response) => response.writeHead(404).end())
    await world.advance(15 * DAY)
    await mara.says(`later ${pages.at('/kept')}`)
    await whenIdle()
    expect(pages.timesAsked('/kept')).toBe(2)
    expect((await cardOf(status)).title).toBe('Kept')
  })

  test('whose job died with its process is asked for all the same', async () => {
    pages.page('/died', '<title>Alive</title>')
    const status = await mara.says(pages.at('/died'))
    await world.idle()
    await rows(`update statuses_jobs._private_jobs set locked_at = now(), locked_by = 'a process that died' where key like 'card:%'`)
    await whenIdle()
    expect(await cardOf(status)).toBeNull()
    await world.advance(20 * MINUTE)
    await rows(`select statuses_jobs.add_job('tend-cards')`)
    await whenIdle()
    await whenIdle()
    expect((await cardOf(status)).title).toBe('Alive')
    expect(pages.timesAsked('/died')).toBe(1)
  })
})

describe('the card follows its status', () => {
  test('through edits', async () => {
    pages.page('/before', '<title>Before</title>')
    pages.page('/after', '<title>After</title>')
    const status = await mara.says(pages.at('/before'))
    await whenIdle()
    const edit = async (text: string) => (await mara.asks('PUT', `/api/v1/statuses/${status.id}`, { body: { status: text } })).body
    expect((await edit(`still ${pages.at('/before')}`)).card.title).toBe('Before')
    expect((await edit(pages.at('/after'))).card).toBeNull()
    await whenIdle()
    expect((await cardOf(status)).title).toBe('After')
    expect((await edit('no link')).card).toBeNull()
    await whenIdle()
    expect(await cardOf(status)).toBeNull()
  })

  test('when it was edited before anything of it was heard', async () => {
    pages.page('/typo', '<title>Typo</title>')
    const status = await mara.says(pages.at('/typo'))
    await mara.asks('PUT', `/api/v1/statuses/${status.id}`, { body: { status: 'never mind' } })
    await whenIdle()
    expect(await cardOf(status)).toBeNull()
  })

  test('into nothing: a deleted one is not asked for, and a card no one shows is forgotten with its picture', async () => {
    pages.page('/secret', '<title>Secret</title>')
    const unasked = await mara.says(pages.at('/secret'))
    await world.idle()
    await mara.asks('DELETE', `/api/v1/statuses/${unasked.id}`)
    await whenIdle()
    expect(pages.timesAsked('/secret')).toBe(0)

    picture('/gone.png')
    pages.page('/gone', '<title>Gone</title><meta property="og:image" content="/gone.png">')
    const status = await mara.says(pages.at('/gone'))
    await whenIdle()
    const { image } = await cardOf(status)
    await world.advance(8 * DAY)
    await rows(`select media_jobs.add_job('reap-attachments')`)
    await whenIdle()
    expect((await fetch(image)).status).toBe(200)
    await mara.asks('DELETE', `/api/v1/statuses/${status.id}`)
    await world.advance(2 * DAY)
    await rows(`select statuses_jobs.add_job('tend-cards')`)
    await whenIdle()
    await whenIdle()
    expect(await rows(`select url from statuses.preview_card where url like '%/gone' or url like '%/secret'`)).toEqual([])
    expect((await fetch(image)).status).toBe(404)
  })

  test('through a refetch: the picture of the former goes', async () => {
    picture('/moving.png')
    pages.page('/moving', '<title>Moving</title><meta property="og:image" content="/moving.png">')
    const status = await mara.says(pages.at('/moving'))
    await whenIdle()
    const former = (await cardOf(status)).image
    await world.advance(15 * DAY)
    await mara.says(`again ${pages.at('/moving')}`)
    await whenIdle()
    await whenIdle()
    const { image } = await cardOf(status)
    expect([former === image, (await fetch(former)).status, (await fetch(image)).status]).toEqual([false, 404, 200])
  })
})

describe('searching', () => {
  test('has:embed finds what a card shows by itself, has:link all links', async () => {
    const { seeker } = await world.cast('seeker')
    pages.page('/film', '<title>Film</title><meta name="twitter:player" content="https://player.example/film">')
    pages.page('/words', '<title>Words</title>')
    const film = await seeker.says(`a film ${pages.at('/film')}`)
    const words = await seeker.says(`some words ${pages.at('/words')}`)
    await seeker.says('nothing')
    await whenIdle()
    const found = async (q: string) =>
      (await seeker.get(`/api/v2/search?${new URLSearchParams({ q, type: 'statuses' })}`)).body.statuses.map(({ id }: { id: string }) => id)
    expect(await found('from:me has:embed')).toEqual([film.id])
    expect(await found('from:me has:link')).toEqual([words.id, film.id])
    expect(await found('from:me has:link -has:embed')).toEqual([words.id])
  })
})

describe('hostile servers', () => {
  const endless = (type: string) =>
    pages.serve(`/endless-${type}`, (response) => {
      response.writeHead(200, { 'Content-Type': type.replace('-', '/') })
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65536, 'a')));
      }
      response.on('drain', more)
      more()
    })

  test.each<[string, () => unknown]>([
    [
      '/slow',
      () =>
        pages.serve('/slow', (response) => {
          response.writeHead(200, { 'Content-Type': 'text/html' })
          const timer = setInterval(() => response.write('<'), 1000)
          response.once('close', () => clearInterval(timer))
        }),
    ],
    ['/inside', () => pages.serve('/inside', (response) => response.writeHead(302, { Location: world.origin }).end())],
    ['/metadata', () => pages.serve('/metadata', (response) => response.writeHead(302, { Location: 'http://169.254.169.254/' }).end())],
    ['/circle', () => pages.serve('/circle', (response) => response.writeHead(302, { Location: '/circle' }).end())],
    ['/endless-text-html', () => endless('text-html')],
    [
      '/bomb',
      () =>
        pages.serve('/bomb', (response) =>
          response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000_000))),
        ),
    ],
    ['/headers', () => pages.serve('/headers', (response) => response.writeHead(200, { X: 'a'.repeat(200_000) }).end())],
  ])('%s costs its own card and nothing else', async (path, prepare) => {
    prepare()
    const begun = performance.now()
    expect(await cardAt(path)).toBeNull()
    expect(performance.now() - begun).toBeLessThan(40_000)
    pages.page('/harmless', '<title>Harmless</title>')
    expect((await cardAt('/harmless')).title).toBe('Harmless')
  })

  test('elements within elements and tags without end take time in proportion', async () => {
    const big = 1_000_000
    for (const [name, unit] of Object.entries({
      deep: '<i>',
      ends: '<b></i>',
      attributes: '<p a=1 ',
      quotes: '<p a="',
      comments: '<!--',
      entities: '&amp;',
    })) {
      let pagesOfIt = 0
      await expectLessProcessorTime(5000, async () => {
        // A page of its own: a card is kept.
        const path = `/html-${name}-${++pagesOfIt}`
        pages.page(path, `<title>${name}</title>${unit.repeat(Math.floor(big / unit.length))}`)
        expect((await cardAt(path))?.title).toBe(name)
      })
    }
  })

  test.each<[string, () => unknown]>([
    ['HTML', () => pages.page('/bad.png', '<script>alert(1)</script>', 'image/png')],
    ['a page', () => pages.page('/bad.png', '<p>no</p>')],
    [
      'more than may be',
      () =>
        pages.serve('/bad.png', (response) => {
          response.writeHead(200, { 'Content-Type': 'image/png' })
          const more = () => {
            while (!response.destroyed && response.write(Buffer.alloc(65536)));
          }
          response.on('drain', more)
          more()
        }),
    ],
    [
      'a picture of 60,000 by 60,000',
      () =>
        pages.serve('/bad.png', (response) => {
          const huge = Buffer.from(PICTURE)
          huge.writeUInt32BE(60_000, 16)
          huge.writeUInt32BE(60_000, 20)
          response.writeHead(200, { 'Content-Type': 'image/png' }).end(huge)
        }),
    ],
  ])('%s for a picture leaves a card without one', async (what, prepare) => {
    prepare()
    const path = `/bad-${what.replaceAll(/\W/g, '')}`
    pages.page(path, '<title>Bad</title><meta property="og:image" content="/bad.png"><meta property="og:image:alt" content="no">')
    expect(await cardAt(path)).toMatchObject({ title: 'Bad', image: null, blurhash: null, image_description: '', width: 0, height: 0 })
  })
})

describe('without leave', () => {
  test('nothing of this machine is asked for', async () => {
    const strict = await World.open()
    try {
      const { joel } = await strict.cast('joel')
      pages.page('/private', '<title>Private</title>')
      const status = await joel.says(pages.at('/private'))
      await strict.idle()
      await strict.rookery.runJobs()
      expect((await joel.get(`/api/v1/statuses/${status.id}`)).body.card).toBeNull()
      expect(pages.timesAsked('/private')).toBe(0)
    } finally {
      await strict.close()
    }
  })

  test('no one is asked when cards are off', async () => {
    const quiet = await World.open({ settings: { PREVIEW_CARDS: 'off' }, mayConnect: () => true })
    try {
      const { joel } = await quiet.cast('joel')
      pages.page('/off', '<title>Off</title>')
      const status = await joel.says(pages.at('/off'))
      await joel.asks('PUT', `/api/v1/statuses/${status.id}`, { body: { status: `edited ${pages.at('/off')}` } })
      await quiet.idle()
      await quiet.rookery.runJobs()
      expect(pages.timesAsked('/off')).toBe(0)
    } finally {
      await quiet.close()
    }
  })
})

test('a card is shown by however many statuses link to its page, soon after it is found', async () => {
  pages.page('/many', '<!doctype html><title>Many</title>')
  const first = await mara.says(`one: ${pages.at('/many')}`)
  const ids = await saidLongAgo(world, mara, 1100)
  await world.idle()
  await query(
    world,
    `insert into statuses.status_card (status_id, digest, url)
     select id, digest, url from unnest($1::bigint[]) id, statuses.status_card where status_id = $2`,
    [ids, first.id],
  )
  await mara.get(`/api/v1/statuses/${ids.at(-1)}`)
  await whenIdle()
  for (const id of [first.id, ids[0], ids.at(-1)]) expect(await cardOf({ id: id! })).toMatchObject({ title: 'Many' })
  const versions = await query(world, 'select distinct version from statuses.status_head where id = any($1::bigint[])', [ids])
  expect(versions).toEqual([{ version: 2 }])
})
