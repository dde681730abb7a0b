import { type Answer, type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Servers that close what is usually public (spec, Authentication 5 and Instance information).

const openWorld = async (settings: Record<string, string>) => {
  const world = await World.open({ settings })
  const person = await world.person('mara')
  const app = await world.appToken('read')
  return { world, person, app }
}

const gist = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body?.error])
const NEEDS_PERSON = [401, 'This API requires an authenticated user']
const NO_PERSON = [422, 'This API requires an authenticated user']

type Closed = { settings: Record<string, string>; paths: string[]; pages: string[]; anonymous: unknown; app: unknown }

describe.each<[string, Closed]>([
  [
    'with an allow-list',
    {
      settings: { FEDERATION_MODE: 'allowlist' },
      paths: ['/api/v1/instance', '/api/v1/instance/peers', '/api/v1/instance/activity'],
      pages: [],
      anonymous: NEEDS_PERSON,
      app: NO_PERSON,
    },
  ],
  [
    'that shows posts to users only',
    {
      settings: { AUTHORIZED_FETCH: 'on' },
      paths: [
        '/api/v1/statuses/:id',
        '/api/v1/statuses/:id/context',
        '/api/v1/statuses/:id/history',
        '/api/v1/polls/:id',
        '/api/oembed?url=:origin/@mara/:id',
      ],
      pages: ['/@mara/:id'],
      anonymous: NEEDS_PERSON,
      app: NO_PERSON,
    },
  ],
  [
    'without a public preview',
    {
      settings: { PUBLIC_PREVIEW: 'off' },
      paths: ['/api/v1/timelines/public', '/api/v1/timelines/tag/tea'],
      pages: ['/tags/tea', '/tags/neverused'],
      anonymous: NEEDS_PERSON,
      app: 200,
    },
  ],
  [
    'that shows its blocks to users',
    {
      settings: { DOMAIN_BLOCKS_SHOWN: 'users' },
      paths: ['/api/v1/instance/domain_blocks'],
      pages: [],
      anonymous: [401, 'The access token is invalid'],
      app: NO_PERSON,
    },
  ],
])('a server %s', (_name, { settings, paths, pages, anonymous, app }) => {
  let opened: { world: World; person: Person; app: string }
  let said: string
  beforeAll(async () => {
    opened = await openWorld(settings)
    said = (await opened.person.says('#tea', { poll: { options: ['green', 'black'], expires_in: 3600 } })).id
    await opened.world.idle()
  })
  afterAll(() => opened.world.close())

  test.each(paths)('asks for a token at %s', async (path) => {
    const { world, person } = opened
    const address = path.replace(':origin', world.origin).replace(':id', said)
    expect({ who: 'anonymous', is: gist(await world.get(address)) }).toEqual({ who: 'anonymous', is: anonymous })
    expect({ who: 'app', is: gist(await world.asks('GET', address, { token: opened.app })) }).toEqual({ who: 'app', is: app })
    expect({ who: 'person', is: gist(await person.get(address)) }).toEqual({ who: 'person', is: 200 })
    const wrong = await world.asks('GET', address, { token: 'x'.repeat(43) })
    expect(gist(wrong)).toEqual([401, 'The access token is invalid'])
  })

  test.each(pages)('shows browsers that the page %s is for its members', async (path) => {
    const visit = (address: string) => opened.world.asks('GET', address, { headers: { accept: 'text/html' } })
    const page = await visit(path.replace(':id', said))
    expect([page.status, page.text.includes('For members only'), page.text.includes('<article')]).toEqual([403, true, false])
    expect((await visit('/@mara')).status).toBe(200)
  })

  test('still says what it is to a client that begins, and who may read its timelines', async () => {
    const { limited_federation, timelines_access } = (await opened.world.get('/api/v2/instance')).body.configuration
    expect(limited_federation).toBe('FEDERATION_MODE' in settings)
    const access = 'PUBLIC_PREVIEW' in settings ? 'authenticated' : 'public'
    const feeds = { local: access, remote: access }
    expect(timelines_access).toEqual({ live_feeds: feeds, hashtag_feeds: feeds, trending_link_feeds: feeds })
  })
})

test('a server that shows its blocks to no one answers 404 without a body', async () => {
  const { world, person } = await openWorld({ DOMAIN_BLOCKS_SHOWN: 'none' })
  try {
    for (const answer of [await world.get('/api/v1/instance/domain_blocks'), await person.get('/api/v1/instance/domain_blocks')])
      expect([answer.status, answer.text]).toEqual([404, ''])
  } finally {
    await world.close()
  }
})
