import type { Frame, Person, World } from '@rookery/test-world'

/** A person's streams, with their parameters: all that carry statuses, notifications, conversations or changes. */
export const STREAMS = [
  'user',
  'user:notification',
  'direct',
  'list',
  'public',
  'public:local',
  'public:remote',
  'public:media',
  'public:local:media',
  'public:remote:media',
  'hashtag',
  'hashtag:local',
] as const
export type Stream = (typeof STREAMS)[number]

export const TAG = 'tea'

/** An event on a stream. `payload` is as it was sent. */
export type Heard = { stream: Stream; event: string; payload: string | undefined }

/** All streams of one person, over one transport. */
export type Ears = { heard: Heard[]; close(): Promise<void> }

const parametersOf = (stream: Stream, list: string): Record<string, string> => {
  if (stream === 'list') return { list }
  return stream.startsWith('hashtag') ? { tag: TAG } : {}
}

/** One WebSocket with all streams on it. */
export const socketEars = async (person: Person, list: string): Promise<Ears> => {
  const [first, ...others] = STREAMS
  const listener = await person.listens(first)
  for (const stream of others) listener.send({ type: 'subscribe', stream, ...parametersOf(stream, list) })
  // Commands are answered in order, so this is answered after all others.
  listener.send({ type: 'subscribe', stream: 'nonsense' })
  await listener.hears((frame) => 'error' in frame)
  const isEvent = (frame: Frame) => 'stream' in frame
  const heard: Heard[] = []
  let taken = 0
  return {
    get heard() {
      for (const frame of listener.frames.slice(taken)) {
        if (isEvent(frame)) heard.push({ stream: frame.stream[0] as Stream, event: frame.event, payload: frame.payload })
      }
      taken = listener.frames.length
      return heard
    },
    close: () => listener.close(),
  }
}

/** The complete events of an event stream's text, and the rest. */
const eventsIn = (text: string): { events: { event: string; data: string }[]; rest: string } => {
  const parts = text.split('\n\n')
  const rest = parts.pop() ?? ''
  const events = parts.flatMap((part) => {
    const [, event, data] = /^event: (.+)\ndata: (.*)$/m.exec(part) ?? []
    return event === undefined ? [] : [{ event, data: data ?? '' }]
  })
  return { events, rest }
}

const openEventStream = async (world: World, person: Person, { stream, list }: { stream: Stream; list: string }, heard: Heard[]) => {
  const leaving = new AbortController()
  const isMedia = stream.endsWith(':media')
  const path = (isMedia ? stream.slice(0, -':media'.length) : stream).replaceAll(':', '/')
  const query = new URLSearchParams({ ...parametersOf(stream, list), ...(isMedia ? { only_media: 'true' } : {}) })
  const response = await fetch(`${world.origin}/api/v1/streaming/${path}?${query}`, {
    headers: { authorization: `Bearer ${person.token}` },
    signal: leaving.signal,
  })
  if (response.status !== 200 || !response.body) throw new Error(`${stream}: ${response.status}`)
  const read = async (body: ReadableStream<Uint8Array>) => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      const { events, rest } = eventsIn(text + decoder.decode(chunk, { stream: true }))
      text = rest
      for (const { event, data } of events) heard.push({ stream, event, payload: data === 'undefined' ? undefined : data })
    }
  }
  // Closing ends the reading with an expected error.
  const reading = read(response.body).catch(() => {})
  return async () => {
    leaving.abort()
    await reading
  }
}

/** An event stream for each stream. */
export const eventStreamEars = async (world: World, person: Person, list: string): Promise<Ears> => {
  const heard: Heard[] = []
  const leave = await Promise.all(STREAMS.map((stream) => openEventStream(world, person, { stream, list }, heard)))
  return { heard, close: async () => void (await Promise.all(leave.map((each) => each()))) }
}
