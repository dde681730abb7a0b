import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Pages that list posts and people: hashtags, tabs of a profile. They show what the API answers without a token.

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const visit = (path: string, headers: Record<string, string> = {}) =>
  world.asks('GET', path, { headers: { accept: 'text/html', ...headers } })

/** The link to the next page of a list. */
const olderOn = ({ text }: { text: string }) => /<a href="([^"]+)" rel="next">/.exec(text)?.[1]

/** All pages of a list, from the first. */
const walk = async (path: string): Promise<string[]> => {
  const texts: string[] = []
  for (let next: string | undefined = path; next; next = olderOn({ text: texts.at(-1)! })) texts.push((await visit(next)).text)
  return texts
}

const uploadOf = async (person: Person) => {
  const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const form = new FormData()
  form.set('file', new File([pixel], 'a.png', { type: 'image/png' }))
  return (await person.asks('POST', '/api/v2/media', { body: form })).body.id as string
}

describe('the page of a hashtag', () => {
  test('is where the links of posts lead, and shows public posts with it and their use', async () => {
    const { url, content } = await mara.says('first #Sencha')
    await joel.says('unlisted #sencha', { visibility: 'unlisted' })
    await joel.says('private #sencha', { visibility: 'private' })
    const link = /href="([^"]+\/tags\/[^"]+)"/.exec(content)?.[1] ?? ''
    const page = await visit(link)
    expect(page.status).toBe(200)
    for (const shown of ['<h1>#Sencha</h1>', 'In the past week: posts 1, people 1', 'first ', `href="${url}"`]) {
      expect(page.text).toContain(shown)
    }
    expect(page.text).not.toMatch(/unlisted|private/)
    expect(page.text).toContain('<meta name="robots" content="noindex">')
    expect((await visit('/tags/SENCHA')).text).toBe(page.text)
  })

  test('leads on to older posts, and every post is on one part', async () => {
    const said = []
    for (let number = 0; number < 25; number++) said.push(await mara.says(`number ${number} #hojicha`))
    const parts = await walk('/tags/hojicha')
    expect(parts.map((text) => text.match(/<article /g)?.length)).toEqual([20, 5])
    expect(said.filter(({ url }) => !parts.some((text) => text.includes(`href="${url}"`)))).toEqual([])
    expect(parts[1]).toContain('>Back to the start</a>')
    expect((await visit('/tags/hojicha?max_id=x&max_id[]=1')).text).toBe(parts[0])
  })

  test('is missing for what is no tag, all of them alike, and leads on', async () => {
    const names = ['no-tag', '%23', '%ff', '%00', `${'a'.repeat(300)}`, '1', '%3Cscript%3E']
    const pages = await Promise.all(names.map((name) => visit(`/tags/${name}`)))
    expect(pages.map(({ status }) => status)).toEqual(names.map(() => 404))
    const missing = await visit('/@nobody')
    expect(new Set([...pages, missing].map(({ text }) => text)).size).toBe(1)
    expect(missing.text).toContain('<a href="/">To the start page</a>')
  })

  test('says of an unused hashtag that it has no posts yet', async () => {
    const page = await visit('/tags/neverused')
    expect(page.status).toBe(404)
    expect(page.text).toContain('<h1>No posts with this hashtag yet</h1>')
    expect(page.text).not.toContain('deleted')
    expect(page.text).toContain('<a href="/">To the start page</a>')
    expect((await visit('/tags/neverused?lang=fr')).text).toContain('Pas encore de messages avec ce hashtag')
  })

  test('shows nothing of a silenced author', async () => {
    const { nils } = await world.cast('nils')
    await nils.says('mine #matcha')
    await mara.says('hers #matcha')
    await world.operator().setSilenced(innerCall(), { username: 'nils', isSilenced: true })
    const { text } = await visit('/tags/matcha')
    expect([text.includes('hers '), text.includes('mine ')]).toEqual([true, false])
  })

  test('costs two calls, and as many statements however many posts', async () => {
    const warm = async () => {
      await visit('/tags/genmaicha')
      await visit('/tags/genmaicha')
      return world.lastRequest
    }
    await mara.says('one #genmaicha')
    const few = await warm()
    for (let number = 0; number < 8; number++) await joel.says(`tea ${number} #genmaicha`)
    expect(await warm()).toEqual({ hops: 2, statements: few.statements })
  })
})

describe('a part of a profile', () => {
  test('shows replies, files or posts with a tag, where their links lead', async () => {
    const { vera } = await world.cast('vera')
    await vera.says('plain')
    await vera.says('tagged #oolong')
    await vera.says('reply', { in_reply_to_id: (await joel.says('asked')).id })
    await vera.says('pictured', { media_ids: [await uploadOf(vera)] })
    const shownAt = async (path: string) => {
      const { text } = await visit(path)
      return ['plain', 'tagged ', 'reply', 'pictured'].filter((said) => text.includes(`<p>${said}`))
    }
    expect(await shownAt('/@vera')).toEqual(['plain', 'tagged ', 'pictured'])
    expect(await shownAt('/@vera/with_replies')).toEqual(['plain', 'tagged ', 'reply', 'pictured'])
    expect(await shownAt('/@vera/media')).toEqual(['pictured'])
    expect(await shownAt('/@Vera/tagged/OOLONG')).toEqual(['tagged '])
    expect((await visit('/@vera/tagged/unused')).text).toContain('There is nothing to see here yet.')
    const { text } = await visit('/@vera/media')
    expect(text).toContain(`<a href="${world.origin}/@vera/media" aria-current="page">Media</a>`)
    expect(text).toContain(`<a href="${world.origin}/@vera/with_replies">Posts and replies</a>`)
  })

  test('shows followers and whom they follow, in parts, unless they are hidden', async () => {
    const { berta } = await world.cast('berta')
    const people = Object.values(await world.cast(...Array.from({ length: 42 }, (_, number) => `fan${number}`))) as Person[]
    for (const person of people) await person.follows(berta)
    await berta.follows(mara)
    const parts = await walk('/@berta/followers')
    expect(parts.map((text) => text.match(/<li><a class="person"/g)?.length)).toEqual([40, 2])
    for (const { username } of people) expect(parts.filter((text) => text.includes(`@${username}@`))).toHaveLength(1)
    expect((await visit('/@berta/following')).text).toContain(`href="${world.origin}/@mara"`)
    await berta.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { hide_collections: true } })
    for (const path of ['/@berta/followers', '/@berta/following']) {
      const { status, text } = await visit(path)
      expect([status, text.includes('This list is not public.'), /fan\d|@mara@/.test(text)]).toEqual([200, true, false])
    }
  })

  test('of a suspended account says that alone, of no one and for no tag is missing', async () => {
    const { otto } = await world.cast('otto')
    await otto.says('before #tea')
    await world.operator().setSuspended(innerCall(), { username: 'otto', isSuspended: true })
    const parts = ['with_replies', 'media', 'followers', 'following', 'tagged/tea']
    for (const part of parts) {
      const { status, text } = await visit(`/@otto/${part}`)
      expect([status, text.includes('This account is suspended.'), text.includes('<article')]).toEqual([200, true, false])
    }
    const paths = [
      ...parts.map((part) => `/@nobody/${part}`),
      '/@mara/tagged/no-tag',
      '/@mara/tagged/%ff',
      '/@mara%00/media',
      '/@mara/else',
    ]
    const missing = await Promise.all(paths.map((path) => visit(path)))
    expect(missing.map(({ status }) => status)).toEqual(paths.map(() => 404))
    expect(new Set(missing.map(({ text }) => text)).size).toBe(1)
  })

  test('is found by search engines at its first address only, and not at all when it is limited', async () => {
    const { dora } = await world.cast('dora')
    await dora.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { indexable: true } })
    const said = await dora.says('found')
    const isFound = async (path: string) => !(await visit(path)).text.includes('content="noindex"')
    expect(await isFound('/@dora')).toBe(true)
    for (const path of ['with_replies', 'media', 'followers', `?max_id=${said.id}`]) {
      expect({ path, isFound: await isFound(path.startsWith('?') ? `/@dora${path}` : `/@dora/${path}`) }).toEqual({ path, isFound: false })
    }
    await world.operator().setSilenced(innerCall(), { username: 'dora', isSilenced: true })
    expect(await isFound('/@dora')).toBe(false)
  })

  test('costs three calls, and as many statements however many people', async () => {
    const { emil } = await world.cast('emil')
    const warm = async () => {
      await visit('/@emil/followers')
      await visit('/@emil/followers')
      return world.lastRequest
    }
    await mara.follows(emil)
    const few = await warm()
    for (const person of Object.values(await world.cast('ea', 'eb', 'ec', 'ed')) as Person[]) await person.follows(emil)
    expect(await warm()).toEqual({ hops: 3, statements: few.statements })
  })
})

test('what people write is text on every page', async () => {
  const { hans } = await world.cast('hans')
  const hostile = '<script>alert(1)</script>"\'<img src=x onerror=alert(1)>'
  await hans.asks('PATCH', '/api/v1/accounts/update_credentials', {
    body: { display_name: '"><script>', note: hostile, fields_attributes: [{ name: '<b>n', value: '"><i>' }] },
  })
  await hans.says(`${hostile} #tea`, { spoiler_text: hostile, media_ids: [await uploadOf(hans)] })
  await hans.follows(joel)
  for (const path of ['/@hans', '/@hans/media', '/@hans/tagged/tea', '/tags/tea', '/@joel/followers', '/tags/tea?max_id="><script>']) {
    const { text } = await visit(path)
    expect({ path, hostile: /<script|<img src=x|"><script|<b>n|<i>/.test(text) }).toEqual({ path, hostile: false })
  }
})

test('pages count in the limit of an address, and say so in their language', async () => {
  const limited = await World.open({ settings: { RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' } })
  try {
    const headers = { accept: 'text/html', 'accept-language': 'de', 'x-forwarded-for': '192.0.2.7' }
    const ask = () => limited.asks('GET', '/tags/tea', { headers })
    expect((await ask()).headers.get('x-ratelimit-remaining')).toBe('299')
    for (let number = 1; number < 300; number++) await ask()
    const refused = await ask()
    expect([refused.status, refused.text.includes('Zu viele Anfragen')]).toEqual([429, true])
  } finally {
    await limited.close()
  }
})
