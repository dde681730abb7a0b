import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// The URLs of people and posts in a browser (beyond-the-spec 3.4): what callers without a token may see, and no more.

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const visit = (path: string, headers: Record<string, string> = {}) => world.asks('GET', path, { headers: { accept: BROWSER, ...headers } })

/** A one-pixel file to upload. */
const picture = (): FormData => {
  const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const form = new FormData()
  form.set('file', new File([pixel], 'a.png', { type: 'image/png' }))
  form.set('description', 'a "pixel"')
  return form
}

/** The target of a redirect. */
const ledTo = ({ status, headers }: { status: number; headers: Headers }) => status === 302 && headers.get('location')

/** The contents of a page's meta elements by name. */
const described = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)].map(([, name, content]) => [name, content]),
  )

test('names turn no words around them, on the page of a boost or a profile and in what describes it', async () => {
  const { turner } = (await world.cast('turner')) as { turner: Person }
  await turner.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Tur\u202ener\u2067' } })
  await turner.reacts('reblog', await joel.says('tea, boosted'))
  await world.idle()
  const { id } = await turner.says('own tea')
  const pages = await Promise.all(['/@turner', `/@turner/${id}`, '/@turner.rss'].map((path) => visit(path)))
  expect(pages[0]!.text).toContain('Boosted by Turner')
  for (const { text } of pages) expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u)
})

describe('what programs that show previews of links ask for', () => {
  const typeOf = async (path: string, accept: string) => (await visit(path, { accept })).headers.get('content-type')?.split(';')[0]

  test.each(['*/*', 'text/html;q=0.9, */*;q=0.1'])('is the page where there is one, by Accept: %s', async (accept) => {
    const { id } = await mara.says('a post with a preview')
    for (const path of ['/about', '/explore', '/tags/tea', '/@mara', `/@mara/${id}`, '/@mara/media']) {
      expect([path, await typeOf(path, accept)]).toEqual([path, 'text/html'])
    }
  })

  test('is JSON where there is no page, and where they ask for that', async () => {
    expect(await typeOf('/nothing', '*/*')).toBe('application/json')
    expect(await typeOf('/api/v1/nothing', '*/*')).toBe('application/json')
    expect(await typeOf('/about', 'application/json, text/plain, */*')).toBe('application/json')
    expect(await typeOf('/@mara', 'application/activity+json')).not.toBe('text/html')
  })
})

describe('the page of a profile', () => {
  test('shows the person and their open posts, and describes itself', async () => {
    const fields_attributes = [{ name: 'Site', value: 'https://mara.example' }]
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', {
      body: { display_name: 'Mara <M>', note: 'Tea & cake', fields_attributes, indexable: true },
    })
    const [open, quiet] = [await mara.says('open tea'), await mara.says('quiet tea', { visibility: 'unlisted' })]
    for (const visibility of ['private', 'direct']) await mara.says(`secret ${visibility}`, { visibility })
    await mara.says('answer to joel', { in_reply_to_id: (await joel.says('question')).id })
    const page = await visit('/@Mara')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(ledTo(await visit('/users/mara'))).toBe(`${world.origin}/@mara`)
    for (const shown of [
      '<h1>Mara &lt;M&gt;</h1>',
      '@mara@',
      '<p>Tea &amp; cake</p>',
      'rel="nofollow noopener me"',
      'open tea',
      'quiet tea',
    ]) {
      expect(page.text).toContain(shown)
    }
    for (const id of [open.id, quiet.id]) expect(page.text).toContain(`href="${world.origin}/@mara/${id}"`)
    for (const hidden of ['secret', 'answer to joel', '<script', 'noindex', '<M>']) expect(page.text).not.toContain(hidden)
    expect(described(page.text)).toMatchObject({
      'og:type': 'profile',
      'og:title': `Mara &lt;M&gt; (@mara@${new URL(world.origin).host})`,
      'og:description': 'Tea &amp; cake',
      'og:url': `${world.origin}/@mara`,
      'og:image': `${world.origin}/avatars/original/missing.png`,
    })
  })

  test('is called after the part of it that is shown', async () => {
    const titleOf = async (path: string) => /<title>(.*?) · [^·]*<\/title>/.exec((await visit(path)).text)?.[1]
    const paths = ['', '/with_replies', '/media', '/followers', '/following', '/tagged/tea']
    expect(await Promise.all(paths.map((path) => titleOf(`/@joel${path}`)))).toEqual([
      'joel (@joel)',
      'Posts and replies · joel (@joel)',
      'Media · joel (@joel)',
      'Followers · joel (@joel)',
      'Following · joel (@joel)',
      '#tea · joel (@joel)',
    ])
  })

  test('has a tab of media as long as the person wants one, with replies or without', async () => {
    const { tova } = (await world.cast('tova')) as { tova: Person }
    const chooses = (body: object) => tova.asks('PATCH', '/api/v1/profile', { body })
    const { id } = await tova.says('a question')
    const { id: mediaId } = (await tova.asks('POST', '/api/v2/media', { body: picture() })).body
    await tova.says('an answer in a picture', { in_reply_to_id: (await joel.says('tell me')).id, media_ids: [mediaId] })
    const tab = `href="${world.origin}/@tova/media"`
    expect((await visit('/@tova')).text).toContain(tab)
    expect((await visit('/@tova/media')).text).toContain('an answer in a picture')
    await chooses({ show_media_replies: false })
    expect((await visit('/@tova/media')).text).not.toContain('an answer in a picture')
    await chooses({ show_media: false })
    for (const path of ['/@tova', '/@tova/with_replies', '/@tova/followers']) expect((await visit(path)).text).not.toContain(tab)
    expect([(await visit('/@tova/media')).status, (await visit(`/@tova/${id}`)).status]).toEqual([404, 200])
  })

  test('says who boosted what, and where who moved is now', async () => {
    const { pavel, rosa } = await world.cast('pavel', 'rosa')
    await pavel.reacts('reblog', await joel.says('boosted tea'))
    const page = await visit('/@pavel')
    expect(page.text).toContain('Boosted by pavel')
    expect(page.text).toContain('boosted tea')
    expect(page.text).toContain('noindex')
    await world.operator().setMemorial(innerCall(), { username: 'rosa', isMemorial: true })
    expect((await visit(`/@${rosa.username}`)).text).toContain('In memory of someone who has died.')
  })

  test('of a suspended account says that alone', async () => {
    const { sven } = await world.cast('sven')
    await sven.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Sven himself' } })
    await sven.says('tea of sven')
    await world.operator().setSuspended(innerCall(), { username: 'sven', isSuspended: true })
    const page = await visit('/@sven')
    expect([page.status, page.text.includes('This account is suspended.')]).toEqual([200, true])
    expect(page.text).not.toMatch(/Sven himself|tea of sven/)
  })

  test('shows what is pinned first, once, and on the first part alone; counts are in the words of their number', async () => {
    const { uma, vito } = await world.cast('uma', 'vito')
    const pinned = await uma.says('pinned words')
    for (let number = 0; number < 21; number++) await uma.says(`later ${number}`)
    await uma.reacts('pin', pinned)
    await vito.follows(uma)
    const first = (await visit('/@uma')).text
    expect(first.match(/<p class="boosted">Pinned<\/p>(?:(?!<\/article>)[\s\S])*pinned words/g)).toHaveLength(1)
    expect(first.indexOf('pinned words')).toBeLessThan(first.indexOf('later 20'))
    expect(first).toMatch(/<strong>22<\/strong> Posts[\s\S]*<strong>1<\/strong> Follower<[\s\S]*href="[^"]*\/@uma\.rss"/)
    const older = /href="([^"]+)" rel="next"/.exec(first)?.[1] ?? ''
    expect((await visit(older.replaceAll('&amp;', '&'))).text).not.toContain('Pinned')
  })

  test('tells of accounts that post by themselves, and who boosts by name and emojis', async () => {
    const { wim, xena } = await world.cast('wim', 'xena')
    await wim.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { bot: true, display_name: 'Robot' } })
    const said = await xena.says('boost this')
    await wim.reacts('reblog', said)
    const page = (await visit('/@wim')).text
    expect(page).toMatch(/<span>@wim@[^<]* · automated<\/span>/)
    expect(page).toMatch(/<p class="boosted"><a href="[^"]*\/@wim">Boosted by Robot<\/a><\/p>/)
  })

  test('costs four calls, and as many statements however many posts', async () => {
    const { tara } = await world.cast('tara')
    const warm = async () => {
      await visit('/@tara')
      await visit('/@tara')
      return world.lastRequest
    }
    await tara.says('one')
    const few = await warm()
    for (let number = 0; number < 8; number++) await tara.says(`tea ${number}`)
    expect(await warm()).toMatchObject({ hops: 4, statements: few.statements })
  })
})

describe('the page of a post', () => {
  test('shows it, how it is embedded, and its files', async () => {
    const media = (await joel.asks('POST', '/api/v2/media', { body: picture() })).body
    const said = await joel.says('look, a pixel', { media_ids: [media.id], language: 'de' })
    const page = await visit(`/@joel/${said.id}`)
    expect(page.status).toBe(200)
    expect(ledTo(await visit(new URL(said.uri).pathname))).toBe(said.url)
    expect(page.text).toContain('<div class="said" lang="de"><p>look, a pixel</p></div>')
    expect(page.text).toMatch(/alt="a &quot;pixel&quot;" width="1" height="1"/)
    expect(described(page.text)).toMatchObject({ 'og:type': 'article', 'og:description': 'look, a pixel', 'og:url': said.url })
    const embed = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(page.text)?.[1] ?? ''
    expect((await world.get(embed)).body).toMatchObject({ type: 'rich', author_url: `${world.origin}/@joel` })
    expect(page.text).toContain(`<link rel="alternate" type="application/activity+json" href="${said.uri}">`)
    expect((await visit('/@joel')).text).toContain(
      `<link rel="alternate" type="application/activity+json" href="${world.origin}/users/joel">`,
    )
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; style-src 'sha256-")
    expect(policy).toContain(`; img-src 'self' ${world.origin};`)
    expect(policy).toContain("form-action 'none'; frame-ancestors 'none'; base-uri 'none'")
  })

  test('keeps what is behind a warning there, and shows a poll as it stands', async () => {
    const said = await joel.says('the end', { spoiler_text: 'of the <film>' })
    const page = await visit(`/@joel/${said.id}`)
    expect(page.text).toMatch(/<summary>of the &lt;film&gt;<\/summary><div class="said"[^>]*><p>the end<\/p>/)
    expect(described(page.text)['og:description']).toBe('of the &lt;film&gt;')
    const asked = await joel.says('which?', { poll: { options: ['green', 'black'], expires_in: 600 } })
    await mara.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: [1] })
    expect((await visit(`/@joel/${asked.id}`)).text).toMatch(
      /<b>100%<\/b>black<meter value="1" max="1">100%<\/meter>[\s\S]*Votes: 1 · Ends on [A-Z][a-z]+ \d+, \d{4} at /,
    )
  })

  test('shows the poll of what it quotes, and keeps its files behind its warning', async () => {
    const asked = await joel.says('which tea?', { poll: { options: ['green', 'black'], expires_in: 600 } })
    await mara.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: [1] })
    const quoting = await mara.says('my choice', { quoted_status_id: asked.id })
    expect((await visit(`/@mara/${quoting.id}`)).text).toMatch(/<blockquote class="quoted">[\s\S]*<b>100%<\/b>black[\s\S]*<\/blockquote>/)
    const media = (await joel.asks('POST', '/api/v2/media', { body: picture() })).body
    const warned = await joel.says('the end', { spoiler_text: 'of a film', media_ids: [media.id] })
    const about = await mara.says('seen', { quoted_status_id: warned.id })
    expect((await visit(`/@mara/${about.id}`)).text).toMatch(/<details><summary>of a film<\/summary>[\s\S]*class="files"[\s\S]*<\/details>/)
  })

  test('is not there for what is not open, of someone else, a boost, or nothing at all', async () => {
    const mine = await joel.says('for few', { visibility: 'private' })
    const open = await joel.says('for all')
    const boost = await mara.reacts('reblog', open)
    const paths = [
      `/@joel/${mine.id}`,
      `/@mara/${open.id}`,
      `/@mara/${boost.id}`,
      '/@joel/1',
      '/@joel/99999999999999999999',
      '/@nobody',
      '/@joel/x',
    ]
    const pages = await Promise.all(paths.map((path) => visit(path)))
    expect(pages.map(({ status }) => status)).toEqual(paths.map(() => 404))
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
    expect(pages[0]?.text).toContain('There is nothing here')
  })
})

describe('who asks', () => {
  test('gets JSON when they ask for it, or when the path is of the API', async () => {
    const gone = { status: 404, body: { error: 'Not Found' } }
    expect(await visit('/@mara', { accept: 'application/json' })).toMatchObject(gone)
    expect(ledTo(await visit('/@mara', { accept: 'application/activity+json, text/html;q=0.1' }))).toBe(`${world.origin}/users/mara`)
    expect(await visit('/api/v1/nothing')).toMatchObject(gone)
    expect(await world.asks('POST', '/@mara', { headers: { accept: BROWSER } })).toMatchObject(gone)
    expect((await visit('/nodeinfo/2.0')).body.software.name).toBe('rookery')
  })

  test('is answered in their language, also where nothing is', async () => {
    const page = await visit('/nowhere', { 'accept-language': 'de-AT, en;q=0.5' })
    expect([page.status, page.headers.get('content-language')]).toEqual([404, 'de'])
    expect(page.text).toContain('Hier ist nichts')
    expect(page.headers.get('vary')).toBe('Accept, Accept-Language')
  })

  test('finds at / what this server is, as the sign-in pages look', async () => {
    const page = await world.get('/')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain(new URL(world.origin).host)
    expect(page.text).toContain('<a href="/settings?lang=en">Your account</a>')
    const [own, other] = await Promise.all(
      [page, visit('/auth/sign_in')].map(async (each) => /<style>[\s\S]*?<\/style>/.exec((await each).text)?.[0]),
    )
    expect(own).toBe(other)
    expect((await world.asks('HEAD', '/')).status).toBe(200)
  })
})
