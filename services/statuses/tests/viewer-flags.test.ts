import { type Answer, type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// What is one reader's alone is kept apart from what is kept in memory for all.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

const NAMES = ['author', 'fond', 'cool', 'idle', 'quiet', 'apart'] as const
let world: World
let people: Record<(typeof NAMES)[number], Person>
let said: Json
let answer: Json

/** Someone with something to read, those who are something to it or filter it, and some who are nothing to it. */
const begin = async (isWired: boolean) => {
  world = await World.open({ isWired })
  people = await world.cast(...NAMES)
  const { author, fond, cool, apart } = people
  for (const reader of [fond, cool]) await reader.follows(author)
  const poll = { options: ['green', 'black'], expires_in: 600 }
  said = await author.says('milk in #tea?', { poll })
  answer = await author.says('tea', { in_reply_to_id: said.id })
  for (const act of ['favourite', 'bookmark', 'reblog', 'mute']) await fond.reacts(act, said)
  await fond.post(`/api/v1/polls/${said.poll.id}/votes`, { choices: [1] })
  await author.reacts('pin', said)
  const filters = { fond: 'tea', cool: 'milk' }
  for (const [name, keyword] of Object.entries(filters)) {
    const body = { title: keyword, context: ['home'], keywords_attributes: [{ keyword }] }
    expect((await people[name as 'fond' | 'cool'].post('/api/v2/filters', body)).status).toBe(200)
  }
  await apart.does('mute', author)
  await world.idle()
}

const READERS = ['anonymous', 'author', 'fond', 'cool', 'idle', 'quiet'] as const
type Reader = (typeof READERS)[number]

const NOTHING = { favourited: false, reblogged: false, bookmarked: false, muted: false, voted: false, own_votes: [], filtered: [] }

/** What each reader sees as theirs on the status. */
const OWN: Record<Reader, object> = {
  anonymous: {},
  author: { favourited: false, reblogged: false, bookmarked: false, muted: false, pinned: true, voted: true, own_votes: [], filtered: [] },
  fond: { favourited: true, reblogged: true, bookmarked: true, muted: true, voted: true, own_votes: [1], filtered: ['tea'] },
  cool: { ...NOTHING, filtered: ['milk'] },
  idle: NOTHING,
  quiet: NOTHING,
}
const FLAGS = ['favourited', 'reblogged', 'bookmarked', 'muted', 'pinned'] as const

const ownIn = (status: Json): object => ({
  ...Object.fromEntries(FLAGS.flatMap((flag) => (flag in status ? [[flag, status[flag]]] : []))),
  ...('voted' in status.poll ? { voted: status.poll.voted, own_votes: status.poll.own_votes } : {}),
  ...('filtered' in status ? { filtered: status.filtered.map(({ filter }: Json) => filter.title) } : {}),
})

const PAGES: Record<string, () => string> = {
  status: () => `/api/v1/statuses/${said.id}`,
  statuses: () => `/api/v1/statuses?id[]=${said.id}`,
  public: () => '/api/v1/timelines/public',
  tag: () => '/api/v1/timelines/tag/tea',
  profile: () => `/api/v1/accounts/${people.author.id}/statuses`,
  pinned: () => `/api/v1/accounts/${people.author.id}/statuses?pinned=true`,
  context: () => `/api/v1/statuses/${answer.id}/context`,
}

/** The status wherever a page has it; boosts of it too. */
const inPage = ({ body }: Answer): Json[] => {
  const list: Json[] = Array.isArray(body) ? body : (body.ancestors ?? [body])
  return list.flatMap((status) => [status, ...(status.reblog ? [status.reblog] : [])]).filter(({ id }) => id === said.id)
}

const asks = (reader: Reader, path: string) => (reader === 'anonymous' ? world.get(path) : people[reader].get(path))

describe.each([
  ['services apart', true],
  ['one process', false],
])('as in %s', (_composition, isWired) => {
  beforeAll(() => begin(isWired))
  afterAll(() => world.close())

  describe.each(Object.entries(PAGES))('%s', (_name, path) => {
    const expectOwn = (reader: Reader, page: Answer) => {
      const found = inPage(page)
      expect([reader, found.length]).toEqual([reader, 1])
      expect([reader, ownIn(found[0])]).toEqual([reader, OWN[reader]])
    }

    test('one reader after the other sees their own', async () => {
      for (const reader of [...READERS, ...READERS.toReversed()]) expectOwn(reader, await asks(reader, path()))
    })

    test('all at once see their own', async () => {
      const readers = Array.from({ length: 10 }, () => READERS).flat()
      const pages = await Promise.all(readers.map((reader) => asks(reader, path())))
      for (const [index, reader] of readers.entries()) expectOwn(reader, pages[index]!)
    })
  })

  test.each(['public', 'tag', 'context'] as const)(
    '%s shows who mutes its author nothing of them, beside those who are shown all',
    async (name) => {
      const path = PAGES[name]!()
      const [muting, ...others] = await Promise.all([
        people.apart.get(path),
        people.idle.get(path),
        people.quiet.get(path),
        world.get(path),
      ])
      expect([muting.status, inPage(muting)]).toEqual([200, []])
      for (const page of others) expect(inPage(page)).toHaveLength(1)
    },
  )

  test('public shows what was posted, favourited and muted since it was read last', async () => {
    const { author, idle, quiet } = people
    const readBoth = () => Promise.all([idle, quiet].map(async (reader) => (await reader.get(PAGES['public']!())).body))
    await readBoth()
    const more = await author.says('coffee')
    await idle.reacts('favourite', more)
    expect((await readBoth()).map(([{ id, favourited }]) => [id, favourited])).toEqual([
      [more.id, true],
      [more.id, false],
    ])
    await idle.reacts('unfavourite', more)
    await quiet.does('mute', author)
    const [withThem, without] = await readBoth()
    expect([withThem[0].id, withThem[0].favourited, without]).toEqual([more.id, false, []])
    await quiet.does('unmute', author)
  })
})

test('open streams tell each reader their own, and readers of public streams nothing but what their filters say', async () => {
  await begin(true)
  const listeners = await Promise.all(
    (['author', 'fond', 'cool'] as const).map(async (reader) => ({
      reader,
      own: await people[reader].listens('user'),
      shared: await people[reader].listens('public'),
    })),
  )
  const poll = { options: ['green', 'black'], expires_in: 600 }
  const edited = await people.author.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'more milk in #tea?', poll } })
  expect(edited.status).toBe(200)
  await world.idle()
  for (const { reader, own, shared } of listeners) {
    const notified = await Promise.all([own, shared].map((each) => each.hears(({ event }) => event === 'status.update')))
    const [home, everyone] = notified.map(({ payload }) => JSON.parse(payload!))
    expect([reader, ownIn(home)]).toEqual([reader, OWN[reader]])
    expect([reader, ownIn(everyone)]).toEqual([reader, { filtered: 'filtered' in OWN[reader] ? OWN[reader].filtered : [] }])
    await Promise.all([own.close(), shared.close()])
  }
  await world.close()
})
