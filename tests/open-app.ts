import { setTimeout as pause } from 'node:timers/promises'
import type { Person } from '@rookery/test-world'

type Brought = { readonly event: string; readonly id: string; readonly eventId: string }

/** One stream of an app. */
export type Stream = {
  /** What it brought: the kind of each event, the id of its status, and the id of the event. */
  readonly events: readonly Brought[]
  /** How it ended: the code of a WebSocket; of an event stream `retry` when the server ended it, `cut` when it broke. Undefined while open. */
  readonly end: string | undefined
}

/**
 * An app that keeps a stream of a person open and shows their home and their notifications. When a stream ends, the app opens another
 * and then reads its pages back to what it knew before. An app that resumes says instead which event it has, and reads its pages only when it is
 * asked to.
 */
export type OpenApp = {
  readonly name: string
  readonly streams: readonly Stream[]
  /** Whether it resumes, and how often it was asked to read its pages again. */
  readonly resumes: boolean
  readonly resyncs: number
  /** The ids of the statuses that a list of the app shows: brought by a stream or read, and not deleted since. */
  shows(list: List): ReadonlySet<string>
  /** Resolves when a stream is open and what came before it is read. @throws Error after a minute */
  ready(): Promise<void>
  stop(): Promise<void>
}

/** The lists an app shows, by the event that adds to them. */
const PAGES = { update: '/api/v1/timelines/home', notification: '/api/v1/notifications' }
type List = keyof typeof PAGES
export const LISTS: readonly List[] = ['update', 'notification']

type Take = (event: string, payload: string, eventId: string) => void
type Connection = { ended: Promise<string>; close(): void }
/** Opens a stream; resolves with undefined when the server does not accept it. */
type Open = (person: Person, origin: string, given: { take: Take; since: string | undefined }) => Promise<Connection | undefined>

const openWebSocket: Open = async (person, origin, { take, since }) => {
  const query = new URLSearchParams({ stream: 'user', access_token: person.token, ...(since !== undefined && { since }) })
  const socket = new WebSocket(new URL(`/api/v1/streaming?${query}`, origin.replace(/^http/, 'ws')))
  socket.addEventListener('message', ({ data }) => {
    const { event, payload, id } = JSON.parse(data)
    take(event, payload, id)
  })
  const isOpen = new Promise<true>((resolve) => socket.addEventListener('open', () => resolve(true)))
  const ended = new Promise<string>((resolve) => socket.addEventListener('close', ({ code }) => resolve(String(code))))
  return (await Promise.race([isOpen, ended])) === true ? { ended, close: () => socket.close() } : undefined
}

const openEventStream: Open = async (person, origin, { take, since }) => {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${person.token}`, accept: 'text/event-stream', ...(since && { 'last-event-id': since }) }
  const response = await fetch(`${origin}/api/v1/streaming/user`, { headers, signal: leaving.signal }).catch(() => undefined)
  const body = response?.status === 200 ? response.body : undefined
  if (!body) return undefined
  const read = async () => {
    let text = ''
    let end = 'cut'
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        const parts = (text + chunk).split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts) {
          const [, event, payload] = /^event: (.+)\ndata: (.*)$/m.exec(part) ?? []
          const [, id = ''] = /^id: (.+)$/m.exec(part) ?? []
          if (event !== undefined || id) take(event ?? '', payload ?? '', id)
          else if (/^retry:/m.test(part)) end = 'retry'
        }
      }
    } catch {
      // Broken off; what was said before counts.
    }
    return end
  }
  return { ended: read(), close: () => leaving.abort() }
}

const TRANSPORTS = { WebSocket: openWebSocket, 'event stream': openEventStream }

/** The id of the status that an event is about. */
const statusIn = (event: string, payload: string): string => {
  if (event === 'delete') return payload
  const shown = JSON.parse(payload)
  return event === 'notification' ? shown.status.id : shown.id
}

/** Opens an app over one of the two transports. */
export const openApp = (
  person: Person,
  origin: string,
  { over, resumes = false }: { over: keyof typeof TRANSPORTS; resumes?: boolean },
): OpenApp => {
  const streams: (Stream & { end: string | undefined })[] = []
  let lastId = ''
  let resyncs = 0
  let reading = Promise.resolve()
  const shown = { update: new Set<string>(), notification: new Set<string>() }
  const deleted = new Set<string>()
  let current: Connection | undefined
  let isStopped = false
  let isReady = false

  const add = (list: List, id: string) => {
    if (!deleted.has(id)) shown[list].add(id)
  }
  const takeOf =
    (events: Brought[]): Take =>
    (event, payload, eventId) => {
      lastId = eventId
      if (event === 'resync') {
        resyncs++
        reading = reading.then(readAll)
      }
      if (event === '' || event === 'resync') return
      const id = statusIn(event, payload)
      events.push({ event, id, eventId })
      if (event === 'update' || event === 'notification') add(event, id)
      if (event !== 'delete') return
      deleted.add(id)
      for (const list of LISTS) shown[list].delete(id)
    }

  const page = async (path: string): Promise<{ id: string; status?: { id: string } }[] | undefined> => {
    while (!isStopped) {
      const answer = await person.get(path).catch(() => undefined)
      if (answer?.status === 200) return answer.body
      await pause(50)
    }
    return undefined
  }
  /** Reads pages down to one of which all was known before; what was known and is no longer on them was deleted. */
  const readBack = async (list: List, known: ReadonlySet<string>) => {
    const read = new Set<string>()
    for (let query = '?limit=40'; ; ) {
      const items = await page(`${PAGES[list]}${query}`)
      if (!items) return
      const ids = items.map(({ id, status }) => status?.id ?? id)
      for (const id of ids) read.add(id)
      if (ids.every((id) => known.has(id))) break
      query = `?limit=40&max_id=${items.at(-1)!.id}`
    }
    const oldest = BigInt([...read].at(-1) ?? 0)
    for (const id of known) if (BigInt(id) >= oldest && !read.has(id)) shown[list].delete(id)
    for (const id of read) add(list, id)
  }

  const readAll = async () => {
    const known = { update: new Set(shown.update), notification: new Set(shown.notification) }
    await Promise.all(LISTS.map((list) => readBack(list, known[list])))
  }

  const stay = async () => {
    while (!isStopped) {
      const events: Brought[] = []
      const isFirst = streams.length === 0
      const known = { update: new Set(shown.update), notification: new Set(shown.notification) }
      current = await TRANSPORTS[over](person, origin, { take: takeOf(events), since: resumes ? lastId : undefined })
      if (!current) {
        await pause(50)
        continue
      }
      const stream = { events, end: undefined as string | undefined }
      streams.push(stream)
      if (isStopped) current.close()
      if (!resumes || isFirst) await Promise.all(LISTS.map((list) => readBack(list, known[list])))
      isReady = true
      stream.end = await current.ended
      isReady = false
    }
  }
  const staying = stay()

  return {
    name: `${person.username} ${resumes ? 'resuming ' : ''}over ${over}`,
    streams,
    resumes,
    get resyncs() {
      return resyncs
    },
    shows: (list) => shown[list],
    async ready() {
      for (const end = performance.now() + 60_000; !isReady; await pause(50)) {
        if (performance.now() > end) throw new Error(`${person.username} cannot open a stream`)
      }
    },
    async stop() {
      isStopped = true
      current?.close()
      await staying
    },
  }
}

/** What each stream of an app brought; of an app that resumes what all of them brought together. */
const sequencesOf = ({ streams, resumes }: OpenApp): (readonly Brought[])[] => {
  const each = streams.map(({ events }) => events)
  return resumes ? [each.flat()] : each
}

/** Events that a stream brought more than once. */
export const doubled = (app: OpenApp): string[] =>
  sequencesOf(app).flatMap((events) => {
    const keys = events.flatMap(({ event, id, eventId }) => [`${event} ${id}`, eventId])
    return keys.filter((key, index) => keys.indexOf(key) !== index)
  })

/** Updates that a stream brought after one of a newer status. */
export const outOfOrder = (app: OpenApp): string[] =>
  sequencesOf(app).flatMap((events) => {
    const ids = events.filter(({ event }) => event === 'update').map(({ id }) => id)
    return ids.filter((id, index) => index > 0 && BigInt(id) < BigInt(ids[index - 1]!))
  })
