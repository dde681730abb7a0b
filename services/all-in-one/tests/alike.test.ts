import { type Person, World } from '@rookery/test-world'
import { importsEmoji } from '@rookery/test-world/announcing'
import { openPageServer } from '@rookery/test-world/page-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// A status and an account are the same to one reader wherever the API shows them.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let pages: Awaited<ReturnType<typeof openPageServer>>
let people: Record<'author' | 'friend' | 'reader', Person>
let shown: Record<'rich' | 'quoting' | 'poll' | 'direct' | 'quoted', Json>
let listId: string

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const picture = async () => {
  const form = new FormData()
  form.set('description', 'a pixel')
  form.set('focus', '0.2,0.3')
  form.set('file', new File([PIXEL], 'pixel.png', { type: 'image/png' }))
  return (await people.author.asks('POST', '/api/v2/media', { body: form })).body
}

/** Opens a page whose author is the friend, and returns its address. */
const page = () => {
  pages.page('/news', `<title>News</title><meta name="fediverse:creator" content="@friend@${new URL(world.address).host}">`)
  return `http://news.birds.example:${pages.port}/news`
}

const introduce = async () => {
  const { author, friend, reader } = people
  const shared = { discoverable: true, indexable: true, attribution_domains: ['birds.example'] }
  for (const person of [author, friend]) {
    const body = {
      ...shared,
      display_name: `${person.username} :heron:`,
      fields_attributes: [{ name: 'site', value: 'https://example.org' }],
    }
    await person.asks('PATCH', '/api/v1/accounts/update_credentials', { body })
  }
  for (const [one, other] of [
    [reader, author],
    [reader, friend],
    [friend, author],
    [author, reader],
  ] as const)
    await one.follows(other)
  listId = (await reader.post('/api/v1/lists', { title: 'list' })).body.id
  await reader.post(`/api/v1/lists/${listId}/accounts`, { account_ids: [author.id] })
  const context = ['home', 'notifications', 'public', 'thread', 'account']
  await reader.post('/api/v2/filters', { title: 'tea', context, filter_action: 'warn', keywords_attributes: [{ keyword: 'tea' }] })
}

const speak = async () => {
  const { author, friend } = people
  const to = '@friend @reader #tea'
  const quoted = await friend.says('some words :heron:')
  const rich = await author.says(`tea ${to} :heron: ${page()}`, {
    spoiler_text: 'hot :heron:',
    language: 'de',
    media_ids: [(await picture()).id],
  })
  const quoting = await author.says(`tea ${to}`, { quoted_status_id: quoted.id })
  const poll = await author.says(`tea? ${to}`, { poll: { options: ['yes :heron:', 'no'], expires_in: 3600 } })
  const direct = await author.says('tea @reader', { visibility: 'direct' })
  return { rich, quoting, poll, direct, quoted }
}

const react = async () => {
  const { author, friend, reader } = people
  await reader.post(`/api/v1/polls/${shown.poll.poll.id}/votes`, { choices: [0] })
  for (const status of [shown.rich, shown.quoting, shown.poll]) {
    await author.reacts('pin', status)
    for (const act of ['favourite', 'bookmark', 'reblog']) for (const person of [friend, reader]) await person.reacts(act, status)
    await reader.says('tea is fine @author', { in_reply_to_id: status.id })
  }
  await friend.says('look at this', { quoted_status_id: shown.rich.id })
  await reader.reacts('mute', shown.quoting)
  await author.asks('PUT', `/api/v1/statuses/${shown.quoting.id}`, { body: { status: 'tea again @friend @reader #tea' } })
}

beforeAll(async () => {
  pages = await openPageServer()
  world = await World.open({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    mayConnect: ({ address, port }) => address === '127.0.0.1' && port === pages.port,
  })
  people = await world.cast('author', 'friend', 'reader')
  await importsEmoji(world, 'heron')
  await introduce()
  shown = await speak()
  await react()
  await world.idle()
  await world.rookery.runJobs()
  await world.idle()
})
afterAll(async () => {
  await world.close()
  await pages.close()
})

/** All statuses, or accounts, with this id within a response. */
const within = (body: Json, kind: 'visibility' | 'acct', id: string): Json[] => {
  if (body === null || typeof body !== 'object') return []
  const inside = Object.values(body).flatMap((value) => within(value, kind, id))
  // Mentions of statuses have an acct too.
  return body.id === id && kind in body && 'created_at' in body ? [body, ...inside] : inside
}

/** Reads pages and compares what they show of a status or account with the record itself; returns the pages that show it. */
const compared = async (asker: Person, kind: 'visibility' | 'acct', record: string, paths: readonly string[]): Promise<string[]> => {
  const { body: itself } = await asker.get(record)
  const showing: string[] = []
  for (const path of paths) {
    const found = within((await asker.get(path)).body, kind, itself.id)
    for (const each of found) expect([path, each]).toEqual([path, itself])
    if (found.length > 0) showing.push(path)
  }
  return showing
}

const TIMELINES = ['/api/v1/timelines/home?limit=40', '/api/v1/timelines/public?limit=40', '/api/v1/timelines/tag/tea?limit=40']
const LISTS = [
  '/api/v1/favourites',
  '/api/v1/bookmarks',
  '/api/v1/notifications?limit=80',
  '/api/v2/notifications',
  '/api/v1/conversations',
]
const SEARCHES = ['/api/v2/search?q=tea&type=statuses', '/api/v2/search?q=words&type=statuses']
const postsOf = ({ id }: Person) => `/api/v1/accounts/${id}/statuses?limit=40`

describe.each(['author', 'friend', 'reader'] as const)('to the %s', (name) => {
  const asker = () => people[name]

  test.each([
    ['rich', 12],
    ['quoting', 12],
    ['poll', 12],
    ['quoted', 6],
  ] as const)('a status (%s) is the same on every page that shows it, at least %i', async (which, least) => {
    const { author, friend, reader } = people
    const path = `/api/v1/statuses/${shown[which].id}`
    const replies = (await asker().get(`${path}/context`)).body.descendants.map(({ id }: Json) => `/api/v1/statuses/${id}/context`)
    const posts = [postsOf(author), postsOf(friend), postsOf(reader), `/api/v1/accounts/${author.id}/statuses?pinned=true`]
    const others = [`/api/v1/statuses?id[]=${shown[which].id}`, `/api/v1/timelines/list/${listId}?limit=40`, `${path}/quotes`]
    const showing = await compared(asker(), 'visibility', path, [...TIMELINES, ...LISTS, ...SEARCHES, ...posts, ...others, ...replies])
    expect(showing.length).toBeGreaterThanOrEqual(least)
  })

  test('an account is the same on every page that shows it', async () => {
    const { author, friend, reader } = people
    const status = `/api/v1/statuses/${shown.rich.id}`
    for (const subject of [author, friend]) {
      const path = `/api/v1/accounts/${subject.id}`
      const people = [`${path}/followers`, `${path}/following`, `/api/v1/accounts/${reader.id}/following`, '/api/v1/directory?local=true']
      const named = [`/api/v1/accounts/lookup?acct=${subject.username}`, `/api/v1/accounts/search?q=${subject.username}`]
      const reacted = [`${status}/favourited_by`, `${status}/reblogged_by`, `/api/v1/lists/${listId}/accounts`]
      const showing = await compared(asker(), 'acct', path, [...TIMELINES, ...LISTS, ...SEARCHES, ...people, ...named, ...reacted, status])
      expect(showing.length).toBeGreaterThanOrEqual(10)
    }
  })
})

test('a direct status is the same on the pages of its two people', async () => {
  for (const person of [people.author, people.reader]) {
    const path = `/api/v1/statuses/${shown.direct.id}`
    const showing = await compared(person, 'visibility', path, [...TIMELINES, ...LISTS, postsOf(people.author)])
    expect(showing).toEqual(expect.arrayContaining(['/api/v1/timelines/home?limit=40', '/api/v1/conversations', postsOf(people.author)]))
  }
})

test.each(['favourite', 'bookmark', 'reblog', 'mute', 'unmute', 'unbookmark', 'unfavourite'])(
  '%s answers with the status as it is then',
  async (act) => {
    const { reader } = people
    for (const status of [shown.rich, shown.poll]) {
      const answer = await reader.reacts(act, status)
      expect(within(answer, 'visibility', status.id)).toContainEqual((await reader.get(`/api/v1/statuses/${status.id}`)).body)
    }
  },
)
