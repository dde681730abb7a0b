import { createRecentEntries, isAfter, MAX_LOG_BYTES, MAX_LOG_ENTRIES, type Position } from '@rookery/ephemeral'

/** A recorded live message, from which streams can be resumed. */
export type Recorded = { readonly position: Position; readonly message: Uint8Array; readonly streams: readonly Stream[] }

/** The recent messages of a stream. */
type Stream = {
  readonly key: string
  readonly messages: Recorded[]
  /** The position of the last message that was evicted. */
  floor?: Position
}

/** Why it is unknown what a stream carried since a position. */
export type Unresumable = 'unknown' | 'expired'

/** The messages that streams carried within the last hour. */
export type History = {
  /** Records a message for the streams of these keys. */
  add(position: Position, message: Uint8Array, keys: readonly string[]): void
  /** Deletes everything: messages before this position are unknown. */
  restart(from: Position): void
  /** The position of the last message, or of the start of the history; undefined before the first message. */
  head(): Position | undefined
  /** The messages of streams after one position up to another, in order, or why they are unknown. */
  between(keys: readonly string[], given: { after: Position; upTo: Position }): readonly Recorded[] | Unresumable
  /** How many messages it holds, and their size in bytes. */
  size(): { messages: number; bytes: number }
}

export type HistoryBounds = { readonly maxBytes: number; readonly maxMessages: number; readonly maxPerStream: number }

const BOUNDS: HistoryBounds = { maxBytes: MAX_LOG_BYTES, maxMessages: MAX_LOG_ENTRIES, maxPerStream: 1000 }
/** Approximate overhead of a message, and of each stream that carries it, in bytes. */
const ENTRY_BYTES = 120
const REFERENCE_BYTES = 20

/** The index of the first message after a position. */
const firstAfter = (messages: readonly Recorded[], position: Position): number => {
  let [low, high] = [0, messages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isAfter(messages[middle]!.position, position)) high = middle
    else low = middle + 1
  }
  return low
}

/** Compares messages by their order in the log. */
export const byPosition = (one: Recorded, other: Recorded): number => (isAfter(one.position, other.position) ? 1 : -1)

const bytesOf = ({ message, streams }: Recorded) => message.byteLength + ENTRY_BYTES + streams.length * REFERENCE_BYTES

/** The recent messages of each stream, by key. */
const createStreams = (maxPerStream: number) => {
  const streams = new Map<string, Stream>()
  const streamOf = (key: string): Stream => {
    const known = streams.get(key)
    if (known) return known
    const stream = { key, messages: [] }
    streams.set(key, stream)
    return stream
  }
  return {
    record(position: Position, message: Uint8Array, keys: readonly string[]): Recorded {
      const recorded = { position, message, streams: keys.map(streamOf) }
      for (const stream of recorded.streams) {
        stream.messages.push(recorded)
        if (stream.messages.length > maxPerStream) stream.floor = stream.messages.shift()!.position
      }
      return recorded
    },
    forget(oldest: Recorded) {
      for (const { key, messages } of oldest.streams) {
        if (messages[0] === oldest) messages.shift()
        if (messages.length === 0) streams.delete(key)
      }
    },
    of: (keys: readonly string[]): readonly Stream[] => keys.flatMap((key) => streams.get(key) ?? []),
    clear: () => streams.clear(),
  }
}

/** An empty history, bounded in age, bytes, messages, and messages per stream. */
export const createHistory = (now: () => number, { maxBytes, maxMessages, maxPerStream }: HistoryBounds = BOUNDS): History => {
  let floor: Position | undefined
  let head: Position | undefined
  const streams = createStreams(maxPerStream)
  const onEvict = (oldest: Recorded) => {
    floor = oldest.position
    streams.forget(oldest)
  }
  const recent = createRecentEntries({ bytesOf, onEvict, bounds: { maxBytes, maxEntries: maxMessages } })
  const restart = (from: Position) => {
    streams.clear()
    recent.clear()
    floor = from
    head = from
  }

  return {
    restart,
    add(position, message, keys) {
      if (floor?.epoch !== position.epoch) restart(position)
      head = position
      if (keys.length > 0) recent.add(streams.record(position, message, keys), now())
    },
    head: () => head,
    between(keys, { after, upTo }) {
      recent.evict(now())
      if (!floor || after.epoch !== floor.epoch) return 'unknown'
      const carrying = streams.of(keys)
      if ([floor, ...carrying.map((stream) => stream.floor)].some((known) => known && isAfter(known, after))) return 'expired'
      const found = carrying.map(({ messages }) => messages.slice(firstAfter(messages, after), firstAfter(messages, upTo)))
      if (found.length < 2) return found[0] ?? []
      return [...new Set(found.flat())].sort(byPosition)
    },
    size: recent.size,
  }
}
