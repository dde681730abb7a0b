import { type Answer, type Person, World, type WorldOptions } from '@rookery/test-world'
import { uploads } from '@rookery/test-world/scheduling'
import { expect } from 'vitest'
import { type Ears, eventStreamEars, type Heard, STREAMS, type Stream, socketEars, TAG } from './live-ears.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

/**
 * The readers, by their relation to the author. All but the last three may see the author's public posts; the `bell` is another account
 * that all follow, whose posts mark the end of the events.
 */
export const READERS = ['author', 'follower', 'friend', 'guest', 'tagger', 'owner', 'stranger', 'blocked', 'blocker', 'muter'] as const
export type Reader = (typeof READERS)[number]
export type Readers = Record<Reader | 'bell', Person>

/** Readers without a block or mute between them and the author. */
export const WILLING = READERS.filter((reader) => !['blocked', 'blocker', 'muter'].includes(reader))

/** The people mentioned in texts: a follower, a stranger, and a follower who mutes the author. */
export const MENTIONS = '@friend @guest @muter'

/** A received event, with its reader and stream, the same over both transports. */
export type Pushed = { reader: Reader } & Heard

/** Readers with all their streams open. */
export type Audience = {
  readonly world: World
  readonly people: Readers
  readonly lists: Record<Reader, string>
  /** The events that an act pushes, to all readers. */
  after<Result>(act: () => Promise<Result>): Promise<{ result: Result; pushed: Pushed[] }>
  /** The answer to a reader's request, cached until the next act. */
  reads(reader: Reader, path: string): Promise<Answer>
  close(): Promise<void>
}

const listOf = async (person: Person, members: readonly Person[]): Promise<string> => {
  const { id } = (await person.post('/api/v1/lists', { title: 'these' })).body
  const added = await person.post(`/api/v1/lists/${id}/accounts`, { account_ids: members.map((member) => member.id) })
  expect(added.status).toBe(200)
  return id
}

const acquaint = async ({ author, follower, friend, tagger, owner, blocked, blocker, muter, bell, ...others }: Readers) => {
  for (const reader of [author, follower, friend, tagger, owner, blocked, blocker, muter, ...Object.values(others)])
    await reader.follows(bell)
  for (const reader of [follower, friend, owner, muter]) await reader.follows(author)
  await tagger.post(`/api/v1/tags/${TAG}/follow`)
  await author.does('block', blocked)
  await blocker.does('block', author)
  await muter.does('mute', author)
}

const isOf = (person: Person, payload: string | undefined): boolean => {
  if (!payload?.startsWith('{')) return false
  const { account, last_status: last } = JSON.parse(payload)
  return (last ?? { account })?.account?.id === person.id
}

/** The events of the bell's two posts on every stream that gets any. */
const RINGS: Partial<Record<Stream, string>> = {
  user: 'update',
  'user:notification': 'notification',
  direct: 'conversation',
  list: 'update',
  public: 'update',
  'public:local': 'update',
  'public:media': 'update',
  'public:local:media': 'update',
  hashtag: 'update',
  'hashtag:local': 'update',
}

/** Opens a world with the audience; with `filter` everyone filters that word. */
export const openAudience = async ({ filter, ...options }: WorldOptions & { filter?: string }): Promise<Audience> => {
  const world = await World.open(options)
  const people: Readers = await world.cast(...READERS, 'bell')
  await acquaint(people)
  const lists = {} as Record<Reader, string>
  const ears: { reader: Reader; transport: 'socket' | 'events'; ears: Ears }[] = []
  for (const reader of READERS) {
    const person = people[reader]
    lists[reader] = await listOf(person, reader === 'owner' ? [people.author, people.bell] : [people.bell])
    if (filter) {
      const keywords = [{ keyword: filter }]
      await person.post('/api/v2/filters', { title: 'mine', context: ['home', 'public'], keywords_attributes: keywords })
    }
    ears.push({ reader, transport: 'socket', ears: await socketEars(person, lists[reader]) })
    ears.push({ reader, transport: 'events', ears: await eventStreamEars(world, person, lists[reader]) })
  }

  const begun = new Map<Ears, number>()
  /** Makes the bell ring on every stream, and resolves when everyone received it there. */
  const ring = async () => {
    await world.idle()
    const media = await uploads(people.bell)
    // Separately, because there are blocks between the author and others.
    const others = READERS.filter((reader) => reader !== 'author').map((reader) => `@${people[reader].username}`)
    const whispered = await Promise.all(['@author', others.join(' ')].map((text) => people.bell.says(text, { visibility: 'direct' })))
    const rung = await people.bell.says(`ring #${TAG}`, { media_ids: [media] })
    await world.idle()
    const isHeard = (of: Ears) => {
      const heard = of.heard.slice(begun.get(of) ?? 0)
      return Object.entries(RINGS).every(([stream, event]) =>
        heard.some(
          (each) =>
            each.stream === stream &&
            each.event === event &&
            [...whispered, rung].some(({ id }) => each.payload?.includes(`"id":"${id}"`)) &&
            (stream !== 'user' || each.payload?.includes(`"id":"${rung.id}"`)),
        ),
      )
    }
    const missing = () => ears.filter((each) => !isHeard(each.ears)).map(({ reader, transport }) => [reader, transport])
    await expect.poll(missing, { interval: 10 }).toEqual([])
  }
  const news = (of: Ears): Heard[] => {
    const heard = of.heard.slice(begun.get(of) ?? 0)
    begun.set(of, of.heard.length)
    return heard.filter(({ payload }) => !isOf(people.bell, payload))
  }
  const answers = new Map<string, Promise<Answer>>()
  const byStream = (heard: readonly Heard[]) => STREAMS.flatMap((stream) => heard.filter((each) => each.stream === stream))

  return {
    world,
    people,
    lists,
    async after(act) {
      await ring()
      for (const each of ears) news(each.ears)
      const result = await act()
      await ring()
      answers.clear()
      const pushed = READERS.flatMap((reader) => {
        const [socket, events] = ears.filter((each) => each.reader === reader).map((each) => byStream(news(each.ears)))
        expect([reader, events]).toEqual([reader, socket])
        return (socket ?? []).map((heard) => ({ reader, ...heard }))
      })
      return { result, pushed }
    },
    reads(reader, path) {
      const key = `${reader} ${path}`
      const known = answers.get(key) ?? people[reader].get(path)
      answers.set(key, known)
      return known
    },
    async close() {
      await Promise.all(ears.map((each) => each.ears.close()))
      await world.close()
    },
  }
}

/** The readers of each event on each stream, as one table to compare. */
export const tableOf = (pushed: readonly Pushed[]): Partial<Record<Stream, Record<string, Reader[]>>> => {
  const table: Partial<Record<Stream, Record<string, Reader[]>>> = {}
  for (const { stream, event, reader } of pushed) {
    table[stream] ??= {}
    table[stream][event] = [...(table[stream][event] ?? []), reader]
  }
  return table
}

export type { Json }
