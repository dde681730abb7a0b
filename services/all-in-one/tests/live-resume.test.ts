import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TAG } from './live-ears.ts'

// A client that is disconnected and resumes gets the same events as one that stayed: in the same order, each once.

const STREAMS = ['user', 'user:notification', 'direct', 'list', 'public', 'public:local', 'hashtag', 'hashtag:local'] as const
type Stream = (typeof STREAMS)[number]
// biome-ignore lint/suspicious/noExplicitAny: what the API says
type Json = any
type Frame = { stream: string[]; event: string; payload?: string; id: string; error?: string }

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world?.close())

let casts = 0
/** People with unique names. */
const cast = async <Names extends string>(...names: Names[]): Promise<Record<Names, Person>> => {
  const number = ++casts
  const people = await Promise.all(names.map(async (name) => [name, await world.person(`${name}${number}`)] as const))
  return Object.fromEntries(people) as Record<Names, Person>
}

/** Pseudorandom numbers from a seed. */
const randomFrom = (seed: number) => {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 4_294_967_296
  }
  return {
    chance: (share: number) => next() < share,
    of: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!,
  }
}

/** A client with all streams of a person, which resumes each after a disconnect. */
const openClient = (reader: Person, listId: string) => {
  const frames: Frame[] = []
  const ids = new Map<string, string>()
  let socket: WebSocket | undefined
  const connect = async () => {
    const own = new WebSocket(`${world.origin.replace(/^http/, 'ws')}/api/v1/streaming?access_token=${reader.token}`)
    socket = own
    const isReady = new Promise<void>((resolve) => {
      own.addEventListener('message', ({ data }) => {
        if (socket !== own) return
        const frame = JSON.parse(String(data)) as Frame
        // Commands are answered in order, so this is answered after all others.
        if (frame.error) return resolve()
        frames.push(frame)
        ids.set(frame.stream[0]!, frame.id)
      })
    })
    await new Promise((resolve) => own.addEventListener('open', resolve))
    for (const stream of STREAMS) {
      const since = ids.get(stream) ?? ''
      own.send(
        JSON.stringify({
          type: 'subscribe',
          stream,
          since,
          ...(stream === 'list' && { list: listId }),
          ...(stream.startsWith('hashtag') && { tag: TAG }),
        }),
      )
    }
    own.send(JSON.stringify({ type: 'subscribe', stream: 'nonsense' }))
    await isReady
  }
  return {
    frames,
    connect,
    /** Disconnects; messages under way are lost. */
    cut() {
      socket?.close()
      socket = undefined
    },
    /** The frames of a stream. */
    on: (stream: Stream) => frames.filter((frame) => frame.stream[0] === stream),
  }
}

/** People whose acts concern a reader. */
const liveliness = (given: { author: Person; other: Person; reader: Person }, random: ReturnType<typeof randomFrom>) => {
  const { author, other, reader } = given
  const said: { id: string; by: Person; visibility: string }[] = []
  const deleted = new Set<string>()
  const publish = async () => {
    const by = random.of([author, author, other])
    const visibility = random.of(['public', 'public', 'unlisted', 'private', 'direct'])
    const text = `tea ${said.length}${random.chance(0.4) ? ` #${TAG}` : ''}${visibility === 'direct' || random.chance(0.3) ? ` @${reader.username}` : ''}`
    const { id } = await by.says(text, { visibility })
    said.push({ id, by, visibility })
  }
  const onOne = (act: (status: (typeof said)[number]) => Promise<unknown>) => async () => {
    const left = said.filter(({ id, visibility }) => !deleted.has(id) && visibility !== 'direct')
    if (left.length > 0) await act(random.of(left))
  }
  const acts = [
    ...[publish, publish, publish],
    onOne(({ id, by }) => by.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: `edited ${id} #${TAG}` } })),
    onOne(({ id, by }) => {
      deleted.add(id)
      return by.asks('DELETE', `/api/v1/statuses/${id}`)
    }),
    onOne(({ id, by }) => (by === author ? other : author).post(`/api/v1/statuses/${id}/reblog`)),
    () => reader.post('/api/v2/filters', { title: `filter ${said.length}`, context: ['home'] }),
  ]
  return { deleted, act: () => random.of(acts)() }
}

/** Events of deleted statuses are not replayed, only their deletions. */
const withoutGone = (frames: readonly Frame[], deleted: ReadonlySet<string>) =>
  frames.flatMap(({ event, payload, id }) => {
    if (event === 'resync') return []
    const about: Json = event === 'delete' || payload === undefined ? undefined : JSON.parse(payload)
    const statusIds = [about?.id, about?.reblog?.id, about?.status?.id]
    return statusIds.some((statusId) => deleted.has(statusId)) ? [] : [`${event} ${event === 'delete' ? payload : (about?.id ?? '')} ${id}`]
  })

describe.each([11, 22, 33])('seed %i', (seed) => {
  test('whatever happens while a client is cut off and comes back, it misses nothing and gets nothing twice', async () => {
    const random = randomFrom(seed)
    const { author, other, reader } = await cast('author', 'other', 'reader')
    await reader.follows(author)
    const { body: list } = await reader.post('/api/v1/lists', { title: 'list' })
    await reader.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [author.id] })
    await world.idle()
    const [whole, cutOff] = [openClient(reader, list.id), openClient(reader, list.id)]
    await Promise.all([whole.connect(), cutOff.connect()])

    const { act, deleted } = liveliness({ author, other, reader }, random)
    for (let round = 0; round < 12; round++) {
      const acting = Promise.all(Array.from({ length: 6 }, act))
      if (random.chance(0.5)) await acting
      cutOff.cut()
      await act()
      if (random.chance(0.5)) await world.idle()
      const coming = cutOff.connect()
      if (random.chance(0.5)) await act()
      await Promise.all([acting, coming])
    }
    const end = await author.says(`@${reader.username} the end #${TAG}`)
    await world.idle()
    const hasEnd = (client: typeof whole) =>
      STREAMS.filter((stream) => stream !== 'direct').every((stream) => client.on(stream).some(({ payload }) => payload?.includes(end.id)))
    await expect.poll(() => [hasEnd(whole), hasEnd(cutOff)]).toEqual([true, true])

    for (const stream of STREAMS) {
      expect([stream, withoutGone(cutOff.on(stream), deleted)]).toEqual([stream, withoutGone(whole.on(stream), deleted)])
      for (const client of [whole, cutOff]) {
        const ids = client.on(stream).map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        // One at the start, without a position to resume from.
        expect(client.on(stream).flatMap(({ event }, index) => (event === 'resync' ? [index] : []))).toEqual([0])
      }
    }
    whole.cut()
    cutOff.cut()
  })
})

describe('what was missed is what the reader may see when they come back', () => {
  /** A follower of an author, and an earlier position of their home. */
  const setOut = async () => {
    const { author, reader } = await cast('author', 'reader')
    await reader.follows(author)
    await world.idle()
    const stream = await reader.listens('user', { since: '' })
    const { id } = (await stream.hears(({ event }) => event === 'resync')) as Frame
    await stream.close()
    return { author, reader, id }
  }
  /** The frames that the reader gets up to a last notification. */
  const comeBack = async ({ author, reader, id }: Awaited<ReturnType<typeof setOut>>): Promise<Frame[]> => {
    const last = await author.says(`@${reader.username} the last`)
    await world.idle()
    const stream = await reader.listens('user', { since: id })
    await stream.hears(({ event, payload }) => event === 'notification' && payload!.includes(last.id))
    await stream.hears(({ event, payload }) => event === 'update' && payload!.includes(last.id))
    await stream.close()
    return stream.frames.filter(({ payload }) => !payload?.includes(last.id)) as Frame[]
  }

  test('a status that was deleted meanwhile is not shown, but that it is gone', async () => {
    const trip = await setOut()
    const doomed = await trip.author.says('doomed')
    await world.idle()
    await trip.author.asks('DELETE', `/api/v1/statuses/${doomed.id}`)
    expect((await comeBack(trip)).map(({ event, payload }) => [event, payload])).toEqual([['delete', doomed.id]])
  })

  test('a status of someone who was muted meanwhile is not shown', async () => {
    const trip = await setOut()
    const { third } = await cast('third')
    await trip.reader.follows(third)
    await world.idle()
    const said = await third.says('said before')
    await world.idle()
    await trip.reader.does('mute', third)
    expect((await comeBack(trip)).map(({ event, payload }) => [event, payload])).toEqual([['delete', said.id]])
  })

  test('nor is one of someone who blocked the reader meanwhile', async () => {
    const trip = await setOut()
    const { third } = await cast('third')
    await trip.reader.follows(third)
    await world.idle()
    await third.says('said before')
    await world.idle()
    await third.does('block', trip.reader)
    expect(await comeBack(trip)).toEqual([])
  })

  test('nor is a notification of someone between whom and the reader a block or a mute of notifications came meanwhile', async () => {
    const trip = await setOut()
    const people = await cast('blocked', 'blocker', 'muted', 'hushed')
    const { blocked, blocker, muted, hushed } = people
    for (const person of Object.values(people)) {
      await person.says(`@${trip.reader.username} hello`, { visibility: 'unlisted' })
      await person.follows(trip.reader)
    }
    await world.idle()
    await trip.reader.does('block', blocked)
    await blocker.does('block', trip.reader)
    await trip.reader.does('mute', muted)
    await trip.reader.post(`/api/v1/accounts/${hushed.id}/mute`, { notifications: false })
    const shown = (await comeBack(trip)).flatMap(({ event, payload }) => (event === 'notification' ? [JSON.parse(payload!)] : []))
    expect(shown.map(({ type, account }) => [type, account.id])).toEqual([
      ['mention', hushed.id],
      ['follow', hushed.id],
    ])
  })

  test.each(['public', 'hashtag'])('on the stream %s nothing of someone whom staff limited or suspended meanwhile', async (name) => {
    const { reader, limited, suspended, other } = await cast('reader', 'limited', 'suspended', 'other')
    const parameters = name === 'hashtag' ? { tag: TAG } : {}
    const before = await reader.listens(name, { since: '', ...parameters })
    const { id } = (await before.hears(({ event }) => event === 'resync')) as Frame
    await before.close()
    for (const author of [limited, suspended]) await author.says(`before #${TAG}`)
    await world.idle()
    await world.operator().setSilenced(innerCall(), { username: limited.username, isSilenced: true })
    await world.operator().setSuspended(innerCall(), { username: suspended.username, isSuspended: true })
    const last = await other.says(`the last #${TAG}`)
    await world.idle()
    const stream = await reader.listens(name, { since: id, ...parameters })
    await stream.hears(({ payload }) => payload?.includes(last.id) ?? false)
    await stream.close()
    expect(stream.frames.map(({ payload }) => JSON.parse(payload!).account.username)).toEqual([other.username])
  })

  test('a filter that was made meanwhile is part of it', async () => {
    const trip = await setOut()
    await trip.author.says('a cup of tea')
    await world.idle()
    await trip.reader.post('/api/v2/filters', { title: 'tea', context: ['home'], keywords_attributes: [{ keyword: 'tea' }] })
    const [update, changed] = await comeBack(trip)
    expect(JSON.parse(update!.payload!).filtered).toMatchObject([{ filter: { title: 'tea' } }])
    expect(changed!.event).toBe('filters_changed')
  })

  test('nothing, with a token that was revoked meanwhile', async () => {
    const { author, reader, id } = await setOut()
    await author.says('hello')
    await world.idle()
    await world.operator().revokeToken(innerCall(), { accessToken: reader.token })
    await expect(reader.listens('user', { since: id })).rejects.toThrow('refused with 401')
  })

  test('a position from more than an hour ago gets one resync', async () => {
    const { author, reader, id } = await setOut()
    await author.says('hello')
    await world.idle()
    await world.advance(61 * 60_000)
    await author.says('later')
    await world.idle()
    const stream = await reader.listens('user', { since: id })
    const { payload } = await stream.hears(({ event }) => event === 'resync')
    expect(JSON.parse(payload!).reason).toBe('expired')
    const next = await author.says('next')
    await stream.hears(({ event, payload }) => event === 'update' && payload!.includes(next.id))
    expect(stream.frames.map(({ event }) => event)).toEqual(['resync', 'update'])
    await stream.close()
  })
})
