import { randomUUID } from 'node:crypto'
import { every } from '@rookery/handles'
import type { Redis } from 'ioredis'
import type { Presence } from '../ports.ts'

/** Missed heartbeats after which a process is gone. */
const BEATS_TO_LIVE = 10
/** In the set of each process that holds connections, so that it can see whether Redis still has the set. No account has this id. */
const PROCESS = '0'

/**
 * Presence over Redis: each process with connections keeps a set of the accounts connected to it, which vanishes when the process no longer
 * renews it, and a place in the list of processes. Each heartbeat checks that both are still there. When they are not, because Redis was
 * flushed or restarted, or because this process stood still for too long, others took its accounts for absent: it writes both again and
 * calls `onLost`.
 */
export const redisPresence = (given: {
  client: Redis
  prefix: string
  now: () => number
  heartbeatMilliseconds: number
  onLost: () => void
}): Presence & { publishLive(): Promise<void>; close(): Promise<void> } => {
  const { client, heartbeatMilliseconds } = given
  const connections = new Map<string, number>()
  const lifetime = heartbeatMilliseconds * BEATS_TO_LIVE
  const processes = `${given.prefix}presence`
  const own = `${processes}:${randomUUID()}`
  let isRegistered = false

  /** Adds accounts to the set of this process, or replaces it by all of them. @throws Error when Redis is unreachable */
  const register = async (accountIds: Iterable<string>, { replaces }: { replaces: boolean }) => {
    const now = given.now()
    const writing = client.multi().sismember(own, PROCESS).zscore(processes, own)
    if (replaces) writing.del(own)
    writing
      .sadd(own, PROCESS, ...accountIds)
      .pexpire(own, lifetime)
      .zadd(processes, now + lifetime, own)
      .zremrangebyscore(processes, '-inf', now)
    const answers = await writing.exec()
    if (!answers) throw new Error('Redis did not run the transaction')
    const wasThere = answers[0]?.[1] === 1 && Number(answers[1]?.[1] ?? 0) > now
    const isLost = isRegistered && !wasThere
    isRegistered = true
    if (!isLost) return
    if (!replaces) await register(connections.keys(), { replaces: true })
    given.onLost()
  }
  // What fails is made good by the next heartbeat.
  const publishLive = async () => {
    if (isRegistered) await register(connections.keys(), { replaces: true }).catch(() => {})
  }
  const renew = async () => {
    if (!isRegistered) return
    await register([], { replaces: false })
    if ((await client.scard(own)) !== connections.size + 1) await publishLive()
  }
  const beating = every(heartbeatMilliseconds, renew, { onError: () => {} })

  const leave = (accountId: string) => {
    const left = (connections.get(accountId) ?? 0) - 1
    if (left > 0) return void connections.set(accountId, left)
    if (connections.delete(accountId)) client.srem(own, accountId).catch(() => {})
  }

  return {
    publishLive,
    async arrive(accountId) {
      connections.set(accountId, (connections.get(accountId) ?? 0) + 1)
      try {
        await register([accountId], { replaces: false })
        return true
      } catch {
        leave(accountId)
        return false
      }
    },
    leave,
    async connected() {
      try {
        const alive = await client.zrangebyscore(processes, given.now(), '+inf')
        const ids = alive.length > 0 ? await client.sunion(alive) : []
        return ids.filter((id) => id !== PROCESS)
      } catch {
        return undefined
      }
    },
    async close() {
      beating.stop()
      await client
        .pipeline()
        .del(own)
        .zrem(processes, own)
        .exec()
        .catch(() => {})
    },
  }
}
