import { type Person, World } from '@rookery/test-world'
import { send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// The exact Link header: clients match it with patterns (beyond-the-spec 1.6).

let world: World
let mara: Person
let others: Person[]
/** A post that three people favourited and boosted. */
let liked: string
beforeAll(async () => {
  world = await World.open()
  const cast = await world.cast('mara', 'joel', 'noor', 'ines', 'omar', 'lena', 'kofi')
  mara = cast.mara
  const { joel, noor, ines, omar, lena, kofi } = cast
  others = [joel, noor, ines]
  for (const other of others) {
    await other.follows(mara)
    await mara.follows(other)
  }
  await world.idle()
  for (const text of ['one', 'two', 'three']) {
    const said = await mara.says(`${text} #tea @joel`)
    await mara.reacts('favourite', said)
    await mara.reacts('bookmark', said)
    for (const other of others) await other.reacts('favourite', said)
    if (text === 'three') for (const other of others) await other.reacts('reblog', said)
    liked = said.id
  }
  for (const other of [omar, lena, kofi]) {
    await mara.does('block', other)
    await joel.does('mute', other)
  }
  await noor.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
  for (const other of [omar, lena, kofi]) await other.follows(noor)
  await world.idle()
})
afterAll(() => world.close())

type List = { who: () => Person; path: () => string; newer: 'min_id' | 'since_id'; isTimeline: boolean; count: number }
const list = (path: string, newer: List['newer'], isTimeline: boolean, count = 3, who = () => mara): [string, List] => [
  path,
  { who, path: () => path.replace('MARA', mara.id).replace('LIKED', liked), newer, isTimeline, count },
]

const LISTS: [string, List][] = [
  // Boosts of posts that are already in the timeline are left out (beyond-the-spec 1.12).
  list('/api/v1/timelines/home', 'min_id', true),
  list('/api/v1/timelines/public', 'min_id', true),
  list('/api/v1/timelines/tag/tea', 'min_id', true),
  list('/api/v1/notifications', 'min_id', true, 15),
  list('/api/v1/accounts/MARA/statuses', 'min_id', false),
  list('/api/v1/favourites', 'min_id', false),
  list('/api/v1/bookmarks', 'min_id', false),
  list('/api/v1/accounts/MARA/followers', 'since_id', false),
  list('/api/v1/accounts/MARA/following', 'since_id', false),
  list('/api/v1/statuses/LIKED/favourited_by', 'since_id', false, 4),
  list('/api/v1/statuses/LIKED/reblogged_by', 'since_id', false),
  list('/api/v1/blocks', 'since_id', false),
  list('/api/v1/mutes', 'since_id', false, 3, () => others[0]!),
  list('/api/v1/follow_requests', 'since_id', false, 3, () => others[1]!),
]

const HEADER = /^(?:<([^<>,]+)>; rel="next", )?<([^<>,]+)>; rel="prev"$/

describe.each(LISTS)('%s', (_name, { who, path, newer, isTimeline, count }) => {
  const page = async (query: string) => {
    const answer = await who().get(path() + query)
    expect(answer.status).toBe(200)
    const [, next, prev] = HEADER.exec(answer.headers.get('link') ?? '') ?? []
    return { items: answer.body as { id: string }[], link: answer.headers.get('link'), next, prev }
  }

  test('a full page has both links, next first', async () => {
    const { items, link } = await page('?limit=2')
    expect(items).toHaveLength(2)
    const [, last, first] = /max_id=(\d+).*_id=(\d+)/.exec(link ?? '') ?? []
    const address = `${world.origin}${path()}?limit=2`
    expect(link).toBe(`<${address}&max_id=${last}>; rel="next", <${address}&${newer}=${first}>; rel="prev"`)
  })

  test(`a page that is not full has ${isTimeline ? 'both links' : 'no next'}`, async () => {
    const whole = await page('')
    expect(whole.items).toHaveLength(count)
    expect(whole.next !== undefined).toBe(isTimeline)
    expect(whole.prev).toMatch(new RegExp(`\\?limit=\\d+&${newer}=\\d+$`))
  })

  test('an empty page has none', async () => {
    expect(await page('?max_id=1')).toMatchObject({ items: [], link: null })
    expect(await page('?limit=0')).toMatchObject({ items: [], link: null })
  })

  test('next leads through everything once, prev back again', async () => {
    const all = (await page('')).items.map(({ id }) => id)
    const seen: string[] = []
    let address: string | undefined = `${path()}?limit=2`
    let lastPage = ''
    for (let steps = 0; address && steps < 20; steps++) {
      const { items, next, prev } = await page(address.slice(address.indexOf('?')))
      if (items.length === 0) break
      seen.push(...items.map(({ id }) => id))
      lastPage = prev ?? ''
      address = next
    }
    expect(seen).toEqual(all)
    const before = await page(lastPage.slice(lastPage.indexOf('?')))
    const expected = newer === 'min_id' ? all.slice(-4 + (all.length % 2), all.length - (all.length % 2 || 2)) : all.slice(0, 2)
    expect(before.items.map(({ id }) => id)).toEqual(expected)
  })
})

describe('the address of a page', () => {
  const nextOf = async (path: string) => HEADER.exec((await mara.get(path)).headers.get('link') ?? '')?.[1] ?? ''
  const queryOf = (address: string) => new URL(address).search

  test('repeats what the list was asked for, but for cursors', async () => {
    const address = await nextOf('/api/v1/timelines/public?local=true&only_media=0&remote=&max_id=9223372036854775807&since_id=1&limit=2')
    expect(queryOf(address)).toMatch(/^\?local=true&only_media=0&remote=&limit=2&max_id=\d+$/)
  })

  test('repeats lists, regardless of their spelling', async () => {
    const wanted = /^\?types%5B%5D=mention&types%5B%5D=follow&limit=1&max_id=\d+$/
    for (const query of ['types[]=mention&types[]=follow', 'types%5B0%5D=mention&types[1]=follow'])
      expect(queryOf(await nextOf(`/api/v1/notifications?${query}&limit=1`))).toMatch(wanted)
  })

  test('leaves out what the list does not take: tokens above all', async () => {
    const { headers } = await world.get(`/api/v1/timelines/home?access_token=${mara.token}&tea=1&limit=1`)
    const address = HEADER.exec(headers.get('link') ?? '')?.[1] ?? ''
    expect(queryOf(address)).toMatch(/^\?limit=1&max_id=\d+$/)
  })

  test('is left out when what it would repeat is too long for a header', async () => {
    const { status, headers } = await mara.get(`/api/v1/timelines/public?local=${'x'.repeat(5000)}&limit=1`)
    expect({ status, link: headers.get('link') }).toEqual({ status: 200, link: null })
  })

  test('says the limit that was applied', async () => {
    expect(queryOf(await nextOf('/api/v1/timelines/home'))).toMatch(/^\?limit=20&max_id=/)
    expect(queryOf(await nextOf('/api/v1/timelines/home?limit=500'))).toMatch(/^\?limit=40&max_id=/)
    expect(queryOf(await nextOf('/api/v1/timelines/home?limit=-2'))).toMatch(/^\?limit=2&max_id=/)
    expect(queryOf(await nextOf('/api/v1/notifications'))).toMatch(/^\?limit=15&max_id=/)
    const { headers } = await mara.get('/api/v1/blocks')
    expect(headers.get('link')).toMatch(/\?limit=40&since_id=/)
  })

  test('has no comma, and nothing that ends it', async () => {
    const { headers } = await mara.get('/api/v1/timelines/tag/tea?any[]=a,b&none[]=%3E%3B%20rel%3D%22next%22&limit=1')
    const link = headers.get('link') ?? ''
    expect(link).toMatch(HEADER)
    expect(link).toContain('?any%5B%5D=a%2Cb&none%5B%5D=%3E%3B%20rel%3D%22next%22&limit=1&max_id=')
  })

  test('is that of the path as it is meant, however it was written', async () => {
    await mara.says('#Grüße')
    for (const path of [
      '/api/v1/timelines/tag/Gr%C3%BC%C3%9Fe/',
      '/api/v1/timelines/tag/Gr%c3%bc%c3%9fe',
      '//api/v1//timelines/tag/Gr%C3%BC%C3%9Fe',
    ]) {
      const { headers, status } = await send(world.origin, { path })
      expect({ status, link: headers['link'] }).toMatchObject({
        status: 200,
        link: expect.stringMatching(/\/api\/v1\/timelines\/tag\/Gr%C3%BC%C3%9Fe\?limit=20&max_id=\d+>; rel="next"/),
      })
    }
  })

  test('is the public one, not that of the connection', async () => {
    const known = await World.open({ settings: { BASE_URL: 'https://rookery.example', CONFIRMATION: 'automatic', REGISTRATIONS: 'open' } })
    try {
      await (await known.person('mara')).says('from elsewhere')
      expect((await known.get('/api/v1/timelines/public')).headers.get('link')).toMatch(
        /^<https:\/\/rookery\.example\/api\/v1\/timelines\/public\?/,
      )
    } finally {
      await known.close()
    }
  })
})

test('what is no list has no Link', async () => {
  for (const path of [
    '/api/v1/accounts/verify_credentials',
    `/api/v1/statuses/${liked}`,
    `/api/v1/statuses/${liked}/context`,
    '/api/v1/instance',
  ])
    expect((await mara.get(path)).headers.get('link')).toBeNull()
})
