/** The readers of a live channel within one process. */
export type Readers = {
  /** Returns what takes the reader out again. */
  add(read: (message: Uint8Array) => void, onGap?: () => void): () => void
  deliver(message: Uint8Array): void
  gap(): void
  clear(): void
}

type Reader = { read(message: Uint8Array): void; onGap?: (() => void) | undefined }

/** No readers yet. A reader that throws keeps nothing from the others; `onError` gets its error. */
export const createReaders = (onError: (error: unknown) => void): Readers => {
  const readers = new Set<Reader>()
  const each = (act: (reader: Reader) => void) => {
    for (const reader of readers) {
      try {
        act(reader)
      } catch (error) {
        onError(error)
      }
    }
  }
  return {
    add(read, onGap) {
      const reader = { read, onGap }
      readers.add(reader)
      return () => void readers.delete(reader)
    },
    deliver: (message) => each(({ read }) => read(message)),
    gap: () => each(({ onGap }) => onGap?.()),
    clear: () => readers.clear(),
  }
}
