import type { DiskStorage } from './disk.ts'
import type { Storage } from './storage.ts'

/**
 * The storage during a migration from a folder to another storage: new files go to the target, and files not yet there are read from the
 * folder. A file is deleted in the folder first, so that a concurrent copy notices.
 */
export const movingStorage = ({ from, to }: { from: DiskStorage; to: Storage }): Storage => {
  /** Copies a file; returns whether that was necessary. */
  const copy = async (key: string): Promise<boolean> => {
    const [source, target] = await Promise.all([from.open(key), to.open(key)])
    if (!source || target?.size === source.size) return false
    try {
      await to.put(key, from.pathOf(key))
    } catch (error) {
      if (await from.open(key)) throw error
    }
    if (await from.open(key)) return true
    await to.remove(key)
    return false
  }
  return {
    put: to.put,
    open: async (key) => (await to.open(key)) ?? (await from.open(key)),
    async remove(key) {
      await from.remove(key)
      await to.remove(key)
    },
    async keysAfter(key, max) {
      const both = await Promise.all([from.keysAfter(key, max), to.keysAfter(key, max)])
      return [...new Set(both.flat())].sort().slice(0, max)
    },
    fault: async () => (await to.fault()) ?? (await from.fault()),
    async copyAfter(key, until) {
      let [lookedAt, copied, lastKey] = [0, 0, key]
      for (const next of await from.keysAfter(key, AT_A_TIME)) {
        if (lookedAt > 0 && until()) break
        if (await copy(next)) copied++
        lookedAt++
        lastKey = next
      }
      return { lookedAt, copied, lastKey }
    },
  }
}

const AT_A_TIME = 500
