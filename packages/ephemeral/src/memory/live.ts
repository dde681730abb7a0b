import { randomBytes } from 'node:crypto'
import { KEPT_MILLISECONDS, MAX_LOG_BYTES, MAX_LOG_ENTRIES } from '../limits.ts'
import type { LiveChannel, LiveEntry, LiveGap, LiveReader } from '../ports.ts'
import type { Position } from '../position.ts'

type Kept = { readonly message?: Uint8Array; readonly position: Position }

const bytesOf = ({ message }: Kept): number => message?.byteLength ?? 0

/** What was published lately, within the bounds of time, bytes and entries. */
const createLog = (now: () => number) => {
  const epoch = randomBytes(4).toString('hex')
  const kept: Kept[] = []
  let first = 0
  let bytes = 0
  let last: Position = { epoch, time: 0, sequence: 0 }

  const nextPosition = (): Position => {
    const time = Math.max(now(), last.time)
    last = { epoch, time, sequence: time === last.time ? last.sequence + 1 : 0 }
    return last
  }
  const isBeyond = (oldest: Kept) =>
    bytes > MAX_LOG_BYTES || kept.length - first > MAX_LOG_ENTRIES || oldest.position.time < last.time - KEPT_MILLISECONDS
  const evict = () => {
    while (first < kept.length && isBeyond(kept[first]!)) bytes -= bytesOf(kept[first++]!)
    if (first < 1024 || first * 2 < kept.length) return
    kept.splice(0, first)
    first = 0
  }
  return {
    append(message: Uint8Array | undefined): Kept {
      const entry: Kept = { position: nextPosition(), ...(message && { message }) }
      kept.push(entry)
      bytes += bytesOf(entry)
      evict()
      return entry
    },
    entries: (): readonly Kept[] => kept.slice(first),
    clear() {
      kept.length = 0
    },
  }
}

/** The live log within one process. A reader that throws keeps nothing from the others; `onError` gets its error. */
export const memoryLive = (now: () => number, onError: (error: unknown) => void): LiveChannel & { close(): void } => {
  const log = createLog(now)
  const readers = new Set<LiveReader>()

  const hand = (reader: LiveReader, { message, position }: Kept, { isKept }: Pick<LiveEntry & LiveGap, 'isKept'>) => {
    try {
      if (message) reader.read({ message, position, isKept })
      else reader.onGap?.({ from: position, isKept })
    } catch (error) {
      onError(error)
    }
  }
  const append = (message?: Uint8Array) => {
    const entry = log.append(message)
    for (const reader of readers) hand(reader, entry, { isKept: false })
  }
  append()

  return {
    async publish(message) {
      append(message)
      return true
    },
    reportGap: () => append(),
    async subscribe(reader) {
      for (const entry of log.entries()) hand(reader, entry, { isKept: true })
      readers.add(reader)
      return () => void readers.delete(reader)
    },
    fault: () => undefined,
    close() {
      readers.clear()
      log.clear()
    },
  }
}
