import { randomBytes } from 'node:crypto'
import type { LiveChannel, LiveEntry, LiveGap, LiveReader } from '../ports.ts'
import type { Position } from '../position.ts'
import { createRecentEntries } from '../recent-entries.ts'

type Kept = { readonly message?: Uint8Array; readonly position: Position }

/** The log of recent messages. */
const createLog = (now: () => number) => {
  const epoch = randomBytes(4).toString('hex')
  const kept = createRecentEntries<Kept>({ bytesOf: ({ message }) => message?.byteLength ?? 0 })
  let last: Position = { epoch, time: 0, sequence: 0 }

  const nextPosition = (): Position => {
    const time = Math.max(now(), last.time)
    last = { epoch, time, sequence: time === last.time ? last.sequence + 1 : 0 }
    return last
  }
  return {
    append(message: Uint8Array | undefined): Kept {
      const entry: Kept = { position: nextPosition(), ...(message && { message }) }
      kept.add(entry, last.time)
      return entry
    },
    entries: kept.all,
    clear: kept.clear,
  }
}

/** The live log within one process. A reader that throws does not affect the others; `onError` gets its error. */
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
