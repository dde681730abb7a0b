import { type Person, World } from '@rookery/test-world'
import { runJob } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Pages about the server and its content: description, privacy policy, directory, public posts.

const SETTINGS = {
  INSTANCE_TITLE: 'Nest & <Co>',
  INSTANCE_DESCRIPTION: 'A tree "full" of talk',
  INSTANCE_EXTENDED_DESCRIPTION: '# Who <we> are\n\nBirds.',
  INSTANCE_CONTACT_EMAIL: 'mara@nest.example',
  INSTANCE_CONTACT_ACCOUNT: 'mara',
  INSTANCE_RULES: 'Be kind\nNo <b>selling</b>',
}

let world: World
let mara: Person
let owner: Person
beforeAll(async () => {
  world = await World.open({ settings: SETTINGS })
  mara = await world.person('mara')
  owner = await world.owner('olga')
})
afterAll(() => world.close())

const visitIn = (visited: World, path: string, headers: Record<string, string> = {}) =>
  visited.asks('GET', path, { headers: { accept: 'text/html', ...headers } })
const visit = (path: string, headers?: Record<string, string>) => visitIn(world, path, headers)
const blocked = (domain: string, more: object = {}) =>
  owner.post('/api/v1/admin/domain_blocks', { domain, severity: 'suspend', public_comment: 'spam & <worse>', ...more })

describe('the page about the server', () => {
  test('shows description, contact, rules and the domains that are limited', async () => {
    await blocked('bad.example')
    await blocked('hidden.example', { obfuscate: true })
    const page = await visit('/about')
    expect(page.status).toBe(200)
    for (const shown of [
      '<h1>Nest &amp; &lt;Co&gt;</h1>',
      'A tree &quot;full&quot; of talk',
      '<h2>Who &lt;we&gt; are</h2>\n<p>Birds.</p>',
      '<a href="mailto:mara@nest.example">',
      `href="${world.origin}/@mara"`,
      '<li>No &lt;b&gt;selling&lt;/b&gt;</li>',
      '<strong>bad.example</strong><span>spam &amp; &lt;worse&gt;</span>',
      'aria-current="page">About</a>',
    ]) {
      expect(page.text).toContain(shown)
    }
    expect(page.text).not.toMatch(/hidden\.example|<script|content="noindex"/)
    expect((await visit('/about', { 'accept-language': 'fr' })).text).toContain('<h2>Règles</h2>')
  })

  test('and the page at / begin with the description of the operator', async () => {
    expect((await visit('/')).text).toContain('<p class="lead">A tree &quot;full&quot; of talk</p>')
    expect((await visit('/about')).text).not.toContain('/terms-of-service')
  })

  test('costs three calls, and the privacy policy one', async () => {
    await visit('/about')
    await visit('/about')
    expect(world.lastRequest.hops).toBe(3)
    await visit('/privacy-policy')
    await visit('/privacy-policy')
    expect(world.lastRequest).toEqual({ hops: 1, statements: 1 })
  })

  test.each(['users', 'none'])('says nothing of domains where they are shown to %s', async (shown) => {
    const closed = await World.open({ settings: { DOMAIN_BLOCKS_SHOWN: shown } })
    try {
      const staff = await closed.owner('olga')
      await staff.post('/api/v1/admin/domain_blocks', { domain: 'bad.example', severity: 'suspend' })
      const { status, text } = await visitIn(closed, '/about')
      expect([status, text.includes('bad.example')]).toEqual([200, false])
      expect(text).toContain('This server names no contact.')
    } finally {
      await closed.close()
    }
  })
})

describe('the privacy policy', () => {
  test('is in the language of the page while the operator wrote none', async () => {
    expect((await visit('/privacy-policy')).text).toContain('<h2>What is stored</h2>')
    expect((await visit('/privacy-policy', { 'accept-language': 'de' })).text).toContain('<h2>Was gespeichert wird</h2>')
    const page = await visit('/privacy-policy?lang=fr', { 'accept-language': 'de' })
    expect([page.headers.get('content-language'), page.text.includes('<h2>Ce qui est enregistré</h2>')]).toEqual(['fr', true])
  })

  test('is what the operator wrote, as the API has it', async () => {
    const own = await World.open({ settings: { INSTANCE_PRIVACY_POLICY: '# Ours\n\n- <one>' } })
    try {
      const content = '<h2>Ours</h2>\n<ul>\n<li>&lt;one&gt;</li>\n</ul>'
      expect((await own.get('/api/v1/instance/privacy_policy')).body.content).toBe(content)
      expect((await visitIn(own, '/privacy-policy', { 'accept-language': 'de' })).text).toContain(content)
    } finally {
      await own.close()
    }
  })
})

test('the directory shows those who want to be found, in both orders and in parts', async () => {
  const people = Object.values(await world.cast(...Array.from({ length: 42 }, (_, number) => `bird${number}`))) as Person[]
  for (const person of people) await person.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { discoverable: true } })
  await people[0]!.says('still here')
  const [active, newest] = [await visit('/directory'), await visit('/directory?order=new')]
  const firstOf = ({ text }: { text: string }) => /<li><a class="person" href="[^"]+\/@(\w+)"/.exec(text)?.[1]
  const latest = people.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? 1 : -1))[0]!
  expect([firstOf(active), firstOf(newest)]).toEqual(['bird0', latest.username])
  expect(newest.text).toContain('href="/directory?order=new" aria-current="page"')
  expect(newest.text).toContain('<a href="/directory?order=new&amp;offset=40" rel="next">More</a>')
  const second = await visit('/directory?order=new&offset=40')
  expect(second.text.match(/<li><a class="person"/g)).toHaveLength(2)
  expect(active.text).not.toContain('/@mara"')
  for (const offset of ['x', '-1', '', '1e3']) expect((await visit(`/directory?offset=${offset}`)).text).toBe(active.text)
  expect((await visit('/directory?offset=999999999')).text).toContain('There is no one here yet.')
})

test('public posts are on one page, unlisted ones are not', async () => {
  await mara.says('for all of you')
  await mara.says('by link only', { visibility: 'unlisted' })
  const page = await visit('/explore')
  expect(page.text).toContain('<p>for all of you</p>')
  expect(page.text).not.toContain('by link only')
  expect(page.text).toContain('content="noindex"')
})

test('what trends stands above public posts, on the first part alone', async () => {
  const trending = await World.open({ settings: { TRENDS_MIN_ACCOUNTS: '2' } })
  try {
    const { anna, bert } = await trending.cast('anna', 'bert')
    for (const person of [anna, bert]) {
      await person.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { discoverable: true } })
    }
    const plain = await visitIn(trending, '/explore')
    expect(plain.text).not.toContain('Hashtags that trend')
    const said = await anna.says('look #Heron')
    await bert.says('me too #heron')
    for (const person of [bert, anna]) await person.reacts('favourite', said)
    await trending.advance(0)
    await runJob(trending, 'update-trends')
    const page = await visitIn(trending, '/explore')
    expect(page.text).toMatch(
      /<h2>Hashtags that trend<\/h2><ul class="rows"><li><div><a href="[^"]+\/tags\/heron">#Heron<\/a><span>In the past week: posts 2, people 2</,
    )
    expect(page.text).toContain('<h2>Latest posts</h2>')
    expect((await visitIn(trending, `/explore?max_id=${said.id}`)).text).not.toContain('Hashtags that trend')
    await visitIn(trending, '/explore')
    expect(trending.lastRequest.hops).toBe(4)
  } finally {
    await trending.close()
  }
})

test('every page leads to those of the server', async () => {
  for (const path of ['/', '/@mara', '/nowhere', '/explore']) {
    const { text } = await visit(path)
    for (const address of ['/explore', '/directory', '/about', '/privacy-policy']) expect(text).toContain(`<a href="${address}"`)
    expect(text).toContain('<p class="brand"><a href="/">')
  }
})
