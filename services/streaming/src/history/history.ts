import { isAfter, KEPT_MILLISECONDS, MAX_LOG_BYTES, MAX_LOG_ENTRIES, type Position } from '@rookery/ephemeral'

/** A live message that can be resumed from. */
export type Recorded = { readonly position: Position; readonly message: Uint8Array; readonly streams: readonly Stream[] }

/** What one stream carried lately. */
type Stream = { readonly key: string; readonly messages: Recorded[] /** The last that it carried and no longer knows. */; floor?: Position }

/** Why it is not known what a stream carried since a position. */
export type Unresumable = 'unknown' | 'expired'

/** What streams carried within the last hour. */
export type History = {
  /** Records a message for the streams of these keys. */
  add(position: Position, message: Uint8Array, keys: readonly string[]): void
  /** Forgets everything: what was before this position is not known. */
  restart(from: Position): void
  /** Where the last message stands, or where the history begins; undefined while nothing was read of the log. */
  head(): Position | undefined
  /** What streams of these keys carried after one position up to another, in order, or why that is not known. */
  between(keys: readonly string[], given: { after: Position; upTo: Position }): readonly Recorded[] | Unresumable
  /** How many messages it holds, and what they take, in bytes. */
  size(): { messages: number; bytes: number }
}

export type HistoryBounds = { readonly maxBytes: number; readonly maxMessages: number; readonly maxPerStream: number }

const BOUNDS: HistoryBounds = { maxBytes: MAX_LOG_BYTES, maxMessages: MAX_LOG_ENTRIES, maxPerStream: 1000 }
/** What a message takes beside its bytes, and each stream that carries it, about. */
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

/** The order of messages in the log. */
export const inTime = (one: Recorded, other: Recorded): number => (isAfter(one.position, other.position) ? 1 : -1)

/** An empty history, bounded in time, bytes, messages, and messages of each stream. */
export const createHistory = (now: () => number, bounds: HistoryBounds = BOUNDS): History => {
  const streams = new Map<string, Stream>()
  let all: Recorded[] = []
  let first = 0
  let bytes = 0
  let floor: Position | undefined
  let head: Position | undefined

  const bytesOf = ({ message, streams }: Recorded) => message.byteLength + ENTRY_BYTES + streams.length * REFERENCE_BYTES

  const evictOldest = () => {
    const oldest = all[first++]!
    bytes -= bytesOf(oldest)
    floor = oldest.position
    for (const { key, messages } of oldest.streams) {
      if (messages[0] === oldest) messages.shift()
      if (messages.length === 0) streams.delete(key)
    }
    if (first < 1024 || first * 2 < all.length) return
    all = all.slice(first)
    first = 0
  }
  const evict = () => {
    const oldestTime = now() - KEPT_MILLISECONDS
    while (first < all.length) {
      const isTooMuch = bytes > bounds.maxBytes || all.length - first > bounds.maxMessages
      if (!isTooMuch && all[first]!.position.time >= oldestTime) return
      evictOldest()
    }
  }
  const streamOf = (key: string): Stream => {
    const known = streams.get(key)
    if (known) return known
    const stream = { key, messages: [] }
    streams.set(key, stream)
    return stream
  }
  const restart = (from: Position) => {
    streams.clear()
    all = []
    first = 0
    bytes = 0
    floor = from
    head = from
  }

  return {
    restart,
    add(position, message, keys) {
      if (floor?.epoch !== position.epoch) restart(position)
      head = position
      if (keys.length === 0) return
      const recorded = { position, message, streams: keys.map(streamOf) }
      for (const stream of recorded.streams) {
        stream.messages.push(recorded)
        if (stream.messages.length > bounds.maxPerStream) stream.floor = stream.messages.shift()!.position
      }
      all.push(recorded)
      bytes += bytesOf(recorded)
      evict()
    },
    head: () => head,
    between(keys, { after, upTo }) {
      evict()
      if (!floor || after.epoch !== floor.epoch) return 'unknown'
      const carrying = keys.flatMap((key) => streams.get(key) ?? [])
      if ([floor, ...carrying.map((stream) => stream.floor)].some((known) => known && isAfter(known, after))) return 'expired'
      const found = carrying.map(({ messages }) => messages.slice(firstAfter(messages, after), firstAfter(messages, upTo)))
      if (found.length < 2) return found[0] ?? []
      return [...new Set(found.flat())].sort(inTime)
    },
    size: () => ({ messages: all.length - first, bytes }),
  }
}
