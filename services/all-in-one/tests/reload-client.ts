import type { Person, World } from '@rookery/test-world'
import { applied, dropped, type Json, type News, noNews, replaced, type State, TAG, type Timeline, voted } from './reload-model.ts'

/** A client that keeps its streams open, on one socket, and applies what they send. */

type Frame = { stream: string[]; event: string; payload?: string; id: string; error?: string }

/** A stream with a timeline: by name, with its parameters, and the page of the same. */
type Line = { key: string; stream: string; parameters?: Record<string, string>; path: string }

const linesOf = (lists: readonly string[]): Line[] => [
  { key: 'user', stream: 'user', path: '/api/v1/timelines/home?limit=40' },
  ...lists.map((list, index) => ({
    key: `list${index}`,
    stream: 'list',
    parameters: { list },
    path: `/api/v1/timelines/list/${list}?limit=40`,
  })),
  { key: 'public', stream: 'public', path: '/api/v1/timelines/public?limit=40' },
  { key: 'public:local', stream: 'public:local', path: '/api/v1/timelines/public?limit=40&local=true' },
  { key: 'public:media', stream: 'public:media', path: '/api/v1/timelines/public?limit=40&only_media=true' },
  { key: 'hashtag', stream: 'hashtag', parameters: { tag: TAG }, path: `/api/v1/timelines/tag/${TAG}?limit=40` },
]
/** Streams without a timeline; the last carries nothing that is shown, and says that all before it was sent. */
const OTHERS = ['direct', 'user:notification', 'user:markers']

/** Reads everything that a client shows. */
const load = async (person: Person, lines: readonly Line[]): Promise<State> => {
  const get = async (path: string): Promise<Json[]> => {
    const { status, text, body } = await person.get(path)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return body
  }
  const timelineOf = async ({ key, path }: Line): Promise<[string, Timeline]> => {
    const entries = await get(path)
    // A page that leaves out hidden statuses may be short though more follow.
    return [key, { entries, floor: entries.length < 20 ? 0n : BigInt(entries.at(-1).id) }]
  }
  return {
    timelines: new Map(await Promise.all(lines.map(timelineOf))),
    notifications: await get('/api/v1/notifications?limit=40'),
    conversations: await get('/api/v1/conversations?limit=40'),
    announcements: await get('/api/v1/announcements?with_dismissed=true'),
  }
}

/** The statuses that an event is about, and the position of a marker. */
const idsIn = ({ payload }: Frame): string[] => {
  const about: Json = payload?.startsWith('{') ? JSON.parse(payload) : {}
  return [about.id, about.status?.id, about.last_status?.id, about.home?.last_read_id].filter((id) => id !== undefined)
}

/** Opens the client of a person with these lists, without connecting it. */
export const openClient = async (world: World, person: Person, lists: readonly string[]) => {
  const lines = linesOf(lists)
  const ids = new Map<string, string>()
  let state = await load(person, lines)
  let news: News = noNews()
  let socket: WebSocket | undefined
  const seen = new Set<string>()
  let waiting: (() => boolean)[] = []

  const take = (frame: Frame) => {
    const [stream, parameter] = frame.stream
    const key = stream === 'list' ? `list${lists.indexOf(parameter!)}` : stream!
    ids.set(key, frame.id)
    for (const id of idsIn(frame)) seen.add(`${key} ${id}`)
    // A `resync` comes once for each stream, with a position to resume from.
    if (frame.event !== 'resync' && frame.event !== 'marker') applied(state, frame, { key, news })
    waiting = waiting.filter((isOver) => !isOver())
  }

  return {
    person,
    lists,
    /** Resolves once every one of these came, each as `STREAM ID`. */
    hears: (wanted: readonly string[]) =>
      new Promise<void>((resolve) => {
        const isOver = () => {
          const areThere = wanted.every((each) => seen.has(each))
          if (areThere) resolve()
          return areThere
        }
        if (!isOver()) waiting.push(isOver)
      }),
    get state() {
      return state
    },
    get news() {
      return news
    },
    /** The keys of its timelines. */
    keys: lines.map(({ key }) => key),
    /** What a reload shows. */
    reload: () => load(person, lines),
    /** Shows a reload from now on. */
    show(loaded: State) {
      state = structuredClone(loaded)
      news = noNews()
    },
    /** Opens every stream, from where it was cut off. */
    async connect() {
      const own = new WebSocket(`${world.origin.replace(/^http/, 'ws')}/api/v1/streaming?access_token=${person.token}`)
      socket = own
      const isReady = new Promise<void>((resolve) => {
        own.addEventListener('message', ({ data }) => {
          const frame = JSON.parse(String(data)) as Frame
          if (frame.error) resolve()
          else if (socket === own) take(frame)
        })
      })
      await new Promise((resolve) => own.addEventListener('open', resolve))
      const subscribe = (stream: string, key = stream, parameters = {}) =>
        own.send(JSON.stringify({ type: 'subscribe', stream, since: ids.get(key) ?? '', ...parameters }))
      for (const { key, stream, parameters } of lines) subscribe(stream, key, parameters)
      for (const stream of OTHERS) subscribe(stream)
      // Commands are answered in order, so this is answered after all others.
      subscribe('nonsense')
      await isReady
    },
    cut() {
      socket?.close()
      socket = undefined
    },
    /** Applies the answer to an act of its own on a status. */
    acted(status: Json) {
      for (const { key } of lines) replaced(state, key, status.reblog ?? status)
    },
    voted: (poll: Json) => voted(state, poll),
    /** Applies a block or mute of its own. */
    shutOut: (accountId: string, given: { withNotifications: boolean }) => dropped(state, accountId, given),
  }
}
export type Client = Awaited<ReturnType<typeof openClient>>
