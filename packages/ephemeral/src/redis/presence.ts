import { randomUUID } from 'node:crypto'
import { every } from '@rookery/handles'
import type { Redis } from 'ioredis'
import type { Presence } from '../ports.ts'

/** Three missed heartbeats make a process gone. */
const BEATS_TO_LIVE = 3

/**
 * Presence over Redis: each process keeps a set of the accounts connected to it, which vanishes when the process no longer renews it, and
 * a place in the list of processes. It remembers its own accounts and writes the set anew whenever Redis lost it.
 */
export const redisPresence = (given: {
  client: Redis
  prefix: string
  now: () => number
  heartbeatMilliseconds: number
}): Presence & { announce(): void; close(): Promise<void> } => {
  const { client, heartbeatMilliseconds } = given
  const connections = new Map<string, number>()
  const lifetime = heartbeatMilliseconds * BEATS_TO_LIVE
  const processes = `${given.prefix}presence`
  const own = `${processes}:${randomUUID()}`

  // What fails is made good by the next heartbeat.
  const send = (work: Promise<unknown>) => void work.catch(() => {})

  /** Writes all that this process knows. */
  const announce = () => {
    const writing = client
      .multi()
      .del(own)
      .zadd(processes, given.now() + lifetime, own)
    if (connections.size > 0) writing.sadd(own, ...connections.keys()).pexpire(own, lifetime)
    send(writing.exec())
  }

  const renew = async () => {
    const now = given.now()
    const answers = await client
      .pipeline()
      .scard(own)
      .pexpire(own, lifetime)
      .zadd(processes, now + lifetime, own)
      .zremrangebyscore(processes, '-inf', now)
      .exec()
    if (answers?.[0]?.[1] !== connections.size) announce()
  }
  const beating = every(heartbeatMilliseconds, renew, { onError: () => {} })

  return {
    announce,
    arrive(accountId) {
      const before = connections.get(accountId) ?? 0
      connections.set(accountId, before + 1)
      if (before === 0) send(client.pipeline().sadd(own, accountId).pexpire(own, lifetime).exec())
    },
    leave(accountId) {
      const left = (connections.get(accountId) ?? 0) - 1
      if (left > 0) return void connections.set(accountId, left)
      if (connections.delete(accountId)) send(client.srem(own, accountId))
    },
    async connected() {
      try {
        const alive = await client.zrangebyscore(processes, given.now(), '+inf')
        return alive.length > 0 ? await client.sunion(alive) : []
      } catch {
        return []
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
