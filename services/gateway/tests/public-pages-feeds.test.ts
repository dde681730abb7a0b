import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Files for programs beside the pages: feeds, the icon, the manifest, robots.txt; and the targets of share buttons.

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open({ settings: { INSTANCE_TITLE: 'Nest & Co' } })
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const visit = (path: string, headers: Record<string, string> = {}) =>
  world.asks('GET', path, { headers: { accept: 'text/html', ...headers } })

/** Checks that an XML document is well-formed, as far as feeds need it: every element is closed, in order. @throws otherwise */
const expectWellFormed = (text: string) => {
  const open: string[] = []
  const markup = text.replace(/<\?xml[^>]*\?>/, '')
  expect(markup.replace(/<\/?[a-z:]+(?: [a-zA-Z:]+="[^"<]*")*\/?>/gi, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#39;)/)
  for (const [, close, name, self] of markup.matchAll(/<(\/?)([a-z:]+)[^>]*?(\/?)>/gi)) {
    if (close) expect(open.pop()).toBe(name)
    else if (!self) open.push(name!)
  }
  expect(open).toEqual([])
}

const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_whole, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'")

describe('a feed', () => {
  test('of a profile has its open posts without replies and boosts, their files and tags', async () => {
    const pixel = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('file', new File([pixel], 'a.png', { type: 'image/png' }))
    form.set('description', 'a "red" <field>')
    const media = (await mara.asks('POST', '/api/v2/media', { body: form })).body
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'M <&> "\u0001', note: '</channel>' } })
    const said = await mara.says('look & see #Tea \u0007', { media_ids: [media.id], spoiler_text: '<warned>' })
    await mara.says('unlisted', { visibility: 'unlisted' })
    for (const visibility of ['private', 'direct']) await mara.says(`secret ${visibility}`, { visibility })
    const other = await joel.says('of joel')
    await mara.says('an answer', { in_reply_to_id: other.id })
    await mara.reacts('reblog', other)
    const feed = await world.get('/@Mara.rss')
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8'])
    expectWellFormed(feed.text)
    expect(feed.text.match(/<item>/g)).toHaveLength(2)
    expect(feed.text).not.toMatch(/secret|an answer|of joel|<script/)
    for (const shown of [
      `<guid isPermaLink="true">${said.url}</guid>`,
      `<enclosure url="${media.url}" length="`,
      '<media:description type="plain">a &quot;red&quot; &lt;field&gt;</media:description>',
      '<media:rating scheme="urn:simple">adult</media:rating>',
      '<category>tea</category>',
      `<atom:link rel="self" type="application/rss+xml" href="${world.origin}/@mara.rss"/>`,
    ]) {
      expect(feed.text).toContain(shown)
    }
    const content = unescaped(/<description>(&lt;p&gt;&lt;strong[\s\S]*?)<\/description>/.exec(feed.text)?.[1] ?? '')
    expect(content).toMatch(/^<p><strong>&lt;warned&gt;<\/strong><\/p><hr \/><p>look &amp; see <a href=/)
    expect((await visit('/@mara')).text).toContain(
      `<link rel="alternate" type="application/rss+xml" href="${world.origin}/@mara.rss" title="`,
    )
  })

  test('of a hashtag has public posts with it, as many as the API gives at once', async () => {
    for (let number = 0; number < 42; number++) await joel.says(`number ${number} #sencha`)
    await mara.says('unlisted #sencha', { visibility: 'unlisted' })
    const feed = await world.get('/tags/Sencha.rss')
    expectWellFormed(feed.text)
    expect(feed.text.match(/<item>/g)).toHaveLength(40)
    expect(feed.text).not.toContain('unlisted')
    expect(feed.headers.get('x-robots-tag')).toBe('noindex')
    expect((await visit('/tags/sencha')).text).toContain(`href="${world.origin}/tags/sencha.rss"`)
  })

  test('is not sent again to those who have it, until a post is written or edited', async () => {
    const first = await joel.says('fresh')
    const feed = await world.get('/@joel.rss')
    const [tag, changed] = [feed.headers.get('etag') ?? '', feed.headers.get('last-modified') ?? '']
    expect(feed.headers.get('cache-control')).toBe('public, max-age=60')
    const again = (headers: Record<string, string>) => world.asks('GET', '/@joel.rss', { headers })
    for (const headers of [{ 'if-none-match': tag }, { 'if-none-match': `"x", W/${tag}` }, { 'if-modified-since': changed }]) {
      const { status, text } = await again(headers)
      expect({ headers, status, text }).toEqual({ headers, status: 304, text: '' })
    }
    expect((await again({ 'if-none-match': '"x"', 'if-modified-since': changed })).status).toBe(200)
    expect((await again({ 'if-modified-since': 'yesterday' })).status).toBe(200)
    world.clock.advance(10_000)
    await joel.asks('PUT', `/api/v1/statuses/${first.id}`, { body: { status: 'fresher' } })
    expect((await again({ 'if-none-match': tag })).text).toContain('fresher')
    expect((await again({ 'if-modified-since': changed })).status).toBe(200)
  })

  test('is as open to search engines as its person', async () => {
    const { nora } = await world.cast('nora')
    expect((await world.get('/@nora.rss')).headers.get('x-robots-tag')).toBe('noindex')
    await nora.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { indexable: true } })
    expect((await world.get('/@nora.rss')).headers.get('x-robots-tag')).toBeNull()
  })

  test('is missing for no one, the suspended and no tag', async () => {
    const { otto } = await world.cast('otto')
    await otto.says('before #sencha')
    await world.operator().setSuspended(innerCall(), { username: 'otto', isSuspended: true })
    const paths = ['/@otto.rss', '/@nobody.rss', '/@%ff.rss', '/tags/neverused.rss', '/tags/no-tag.rss', '/@mara.rss.rss']
    const missing = await Promise.all(paths.map((path) => visit(path)))
    expect(missing.map(({ status }) => status)).toEqual(paths.map(() => 404))
    expect(new Set(missing.map(({ text }) => text)).size).toBe(1)
    expect((await visit('/@otto')).text).not.toContain('application/rss+xml')
  })

  test('costs two calls', async () => {
    for (const path of ['/@joel.rss', '/tags/sencha.rss']) {
      await world.get(path)
      await world.get(path)
      expect({ path, hops: world.lastRequest.hops }).toEqual({ path, hops: 2 })
    }
  })
})

describe('a file for browsers and crawlers', () => {
  test.each(['text/html', '*/*'])('is there whatever they accept: %s', async (accept) => {
    const types = ['/robots.txt', '/favicon.ico', '/manifest.json', '/instance/icon-192.png', '/instance/thumbnail.png'].map(
      async (path) => [(await fetch(world.origin + path, { headers: { accept } })).headers.get('content-type'), path],
    )
    expect((await Promise.all(types)).map(([type]) => type)).toEqual([
      'text/plain; charset=utf-8',
      'image/x-icon',
      'application/manifest+json',
      'image/png',
      'image/png',
    ])
  })

  test('says the name of the server, its icons and where shared texts go', async () => {
    const manifest = JSON.parse((await world.get('/manifest.json')).text)
    expect(manifest).toMatchObject({ name: 'Nest & Co', share_target: { action: '/share', params: { text: 'text', url: 'url' } } })
    for (const { src, sizes } of manifest.icons) {
      const { width, height } = await sharp(Buffer.from(await (await fetch(world.origin + src)).arrayBuffer())).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
    expect((await world.get('/robots.txt')).text).toMatch(/^User-agent: \*\nDisallow: \/api\//)
    const icon = Buffer.from(await (await fetch(`${world.origin}/favicon.ico`)).arrayBuffer())
    expect([icon.readUInt16LE(2), icon.readUInt32LE(18)]).toEqual([1, 22])
    expect((await sharp(icon.subarray(22)).metadata()).width).toBe(48)
  })
})

describe('where buttons lead', () => {
  test('/share shows the text to post, as text', async () => {
    const query = new URLSearchParams({ title: 'A </textarea><script>', text: 'of "birds"', url: 'https://birds.example/?a&b' })
    const page = await visit(`/share?${query}`)
    expect(page.text).toContain('A &lt;/textarea&gt;&lt;script&gt;\n\nof &quot;birds&quot;\n\nhttps://birds.example/?a&amp;b</textarea>')
    expect(page.text).not.toContain('<script')
    expect((await visit('/share')).text).toContain('There is nothing to share here.')
    expect((await visit(`/share?text=${'a'.repeat(9000)}`)).text).toMatch(/\na{2000}<\/textarea>/)
    expect((await visit('/share?text=%ff')).status).toBe(200)
  })

  test('/authorize_interaction leads to the page of a record here, and says how an app finds others', async () => {
    const said = await joel.says('answer me')
    const { host } = new URL(world.origin)
    const leads = async (uri: string) => {
      const headers = { accept: 'text/html' }
      const asked = await fetch(`${world.origin}/authorize_interaction?uri=${encodeURIComponent(uri)}`, { headers, redirect: 'manual' })
      return [asked.status, asked.headers.get('location')]
    }
    expect(await leads(`acct:joel@${host}`)).toEqual([302, `${world.origin}/@joel`])
    expect(await leads(said.uri)).toEqual([302, `${world.origin}/@joel/${said.id}`])
    expect(await leads('https://there.example/@joel')).toEqual([200, null])
    for (const uri of ['', 'javascript:alert(1)', `${world.origin}/about`]) expect(await leads(uri)).toEqual([404, null])
    const page = await visit('/authorize_interaction?uri=@bird@there.example')
    expect(page.text).toContain('<strong>@bird@there.example</strong>')
    expect(page.text).not.toContain('href="https://there.example')
  })
})
