import type { Invalidations } from '../ports.ts'

/** Invalidations within one process. */
export const memoryInvalidations = (): Invalidations & { close(): void } => {
  const stamps = new Map<string, number>()
  let isClosed = false
  return {
    async publish(topic) {
      stamps.set(topic, (stamps.get(topic) ?? 0) + 1)
    },
    watch: (topic) => () => (isClosed ? undefined : (stamps.get(topic) ?? 0)),
    close() {
      isClosed = true
    },
  }
}
