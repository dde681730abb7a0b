import { GRACE_MILLISECONDS } from '../limits.ts'
import type { Presence } from '../ports.ts'

type Listener = { connections: number; readonly coveredSince: number; seenAt: number }

/** Presence within one process. */
export const memoryPresence = (
  now: () => number,
  { graceMilliseconds = GRACE_MILLISECONDS }: { graceMilliseconds?: number } = {},
): Presence & { forgetGone(): void; clear(): void } => {
  const listeners = new Map<string, Listener>()
  const isGone = ({ connections, seenAt }: Listener) => connections === 0 && seenAt <= now() - graceMilliseconds
  const forgetGone = () => {
    for (const [accountId, listener] of listeners) if (isGone(listener)) listeners.delete(accountId)
  }
  return {
    async arrive(accountId) {
      const at = now()
      const known = listeners.get(accountId)
      const listener = known && !isGone(known) ? known : { connections: 0, coveredSince: at, seenAt: at }
      listener.connections++
      listeners.set(accountId, listener)
      return { at, coveredSince: listener.coveredSince }
    },
    leave(accountId) {
      const listener = listeners.get(accountId)
      if (!listener || listener.connections === 0) return
      listener.connections--
      listener.seenAt = now()
    },
    async listeners() {
      forgetGone()
      return [...listeners.keys()]
    },
    forgetGone,
    clear: () => listeners.clear(),
  }
}
