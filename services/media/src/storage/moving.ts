import type { Storage } from './storage.ts'

/**
 * Two storages while files move from one to the other: new ones go to `to`, and what is not there yet is read from `from`. A file is
 * deleted in `from` first, so that whoever copies it at that moment can see that it is gone (copy-files.ts).
 */
export const movingStorage = ({ from, to }: { from: Storage; to: Storage }): Storage => ({
  put: to.put,
  open: async (key) => (await to.open(key)) ?? (await from.open(key)),
  async remove(key) {
    await from.remove(key)
    await to.remove(key)
  },
  async keysAfter(key, most) {
    const both = await Promise.all([from.keysAfter(key, most), to.keysAfter(key, most)])
    return [...new Set(both.flat())].sort().slice(0, most)
  },
  fault: async () => (await to.fault()) ?? (await from.fault()),
})
