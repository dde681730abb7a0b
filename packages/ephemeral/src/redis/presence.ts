import { randomUUID } from 'node:crypto'
import { every } from '@rookery/handles'
import type { Redis } from 'ioredis'
import { GRACE_MILLISECONDS, KEPT_MILLISECONDS } from '../limits.ts'
import type { Arrival, Presence } from '../ports.ts'

/** Each process adds an entry of its own to the listeners, to see whether Redis still has its data. No account has such an id. */
const PROCESS = 'process/'

/** How often a process renews its connected accounts; well within the grace period. */
const RENEW_MILLISECONDS = 60_000
/** Maximum accounts per command. */
const BATCH = 1000

/**
 * Marks accounts as present, by the clock of Redis. Coverage begins for those that were not present. KEYS: when accounts were last seen,
 * since when they are covered. ARGV: the grace period, the name of the process, then accounts. Returns the time, whether the process was
 * there, and since when each account is covered.
 */
const ARRIVE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = { tostring(now), redis.call('ZSCORE', KEYS[1], ARGV[2]) and '1' or '0' }
for index = 3, #ARGV do
  local seen = redis.call('ZSCORE', KEYS[1], ARGV[index])
  if not seen or tonumber(seen) <= now - ARGV[1] then redis.call('ZADD', KEYS[2], now, ARGV[index]) end
  redis.call('ZADD', KEYS[1], now, ARGV[index])
  answer[index] = redis.call('ZSCORE', KEYS[2], ARGV[index]) or tostring(now)
end
redis.call('ZADD', KEYS[1], now, ARGV[2])
return answer`

/** Deletes accounts whose grace period is over. */
const FORGET = `
local time = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', time[1] * 1000 - ARGV[1])
redis.call('ZINTERSTORE', KEYS[2], 2, KEYS[2], KEYS[1], 'WEIGHTS', 1, 0)
return redis.status_reply('OK')`

/** Accounts seen within the grace period. */
const LISTENERS = `
local time = redis.call('TIME')
return redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. (time[1] * 1000 - ARGV[1]), '+inf')`

type Named = { at: number; wasThere: boolean; coveredSince: number[] }

/** The times at which accounts were seen, in Redis. All functions throw Error when Redis is unreachable. */
const seenAccounts = ({ client, prefix, graceMilliseconds }: { client: Redis; prefix: string; graceMilliseconds: number }) => {
  const listeners = `${prefix}listeners`
  const covered = `${prefix}listeners:since`
  const own = `${PROCESS}${randomUUID()}`
  /** Marks accounts as present; returns the time, whether this process was there, and since when each is covered. */
  const name = async (accountIds: readonly string[]): Promise<Named> => {
    const answer = (await client.eval(ARRIVE, 2, listeners, covered, graceMilliseconds, own, ...accountIds)) as string[]
    const [at, wasThere, ...since] = answer
    return { at: Number(at), wasThere: wasThere === '1', coveredSince: since.map(Number) }
  }
  return {
    name,
    async nameAll(accountIds: readonly string[]): Promise<void> {
      if (accountIds.length === 0) await name([])
      for (let start = 0; start < accountIds.length; start += BATCH) await name(accountIds.slice(start, start + BATCH))
    },
    forgetOld: () => client.eval(FORGET, 2, listeners, covered, graceMilliseconds),
    async present(): Promise<string[]> {
      const ids = (await client.eval(LISTENERS, 1, listeners, graceMilliseconds)) as string[]
      return ids.filter((id) => !id.startsWith(PROCESS))
    },
    removeProcess: () => client.zrem(listeners, own),
  }
}

type Renewing = { ids: () => readonly string[]; now: () => number; onLost: () => void }

/** Renews the accounts of this process in Redis, once one has arrived. */
const createRenewal = (seen: ReturnType<typeof seenAccounts>, { ids, now, onLost }: Renewing) => {
  let isRegistered = false
  let renewedAt = 0
  const nameAll = async () => {
    renewedAt = now()
    await seen.nameAll(ids())
  }
  /** The next heartbeat repairs what fails here. */
  const restore = async () => {
    if (isRegistered) await nameAll().catch(() => {})
  }
  const lose = async () => {
    await restore()
    onLost()
  }
  return {
    restore,
    /** Notes that an account was registered. */
    async register({ wasThere }: Named) {
      if (isRegistered && !wasThere) await lose()
      if (!isRegistered) renewedAt = now()
      isRegistered = true
    },
    async beat() {
      if (!isRegistered) return
      const isForgotten = now() - renewedAt > KEPT_MILLISECONDS
      const { wasThere } = await seen.name([])
      if (isForgotten || !wasThere) return lose()
      const age = now() - renewedAt
      // A negative age means that the clock was set back, so the real age is unknown.
      if (age >= 0 && age < RENEW_MILLISECONDS) return
      await nameAll()
      await seen.forgetOld()
    },
  }
}

type Deps = {
  client: Redis
  prefix: string
  now: () => number
  heartbeatMilliseconds: number
  graceMilliseconds?: number
  onLost: () => void
}

/** Presence that can be written again, e.g. after a reconnect. */
type RedisPresence = Presence & { restore(): Promise<void>; close(): Promise<void> }

/**
 * Presence over Redis: the time each account was last seen. An account stays for a grace period after that, whatever the process, so that
 * its clients can come back and resume. Each heartbeat checks that Redis still has the data. If not, because Redis was flushed or this
 * process stalled until its accounts expired, the data is written again and `onLost` is called.
 */
export const redisPresence = (given: Deps): RedisPresence => {
  const { client, prefix, now, onLost, heartbeatMilliseconds, graceMilliseconds = GRACE_MILLISECONDS } = given
  const connections = new Map<string, number>()
  const seen = seenAccounts({ client, prefix, graceMilliseconds })
  const renewal = createRenewal(seen, { ids: () => [...connections.keys()], now, onLost })
  const beating = every(heartbeatMilliseconds, renewal.beat, { onError: () => {} })

  const leave = (accountId: string) => {
    const left = (connections.get(accountId) ?? 0) - 1
    if (left > 0) return void connections.set(accountId, left)
    // Its grace period starts now.
    if (connections.delete(accountId)) seen.name([accountId]).catch(() => {})
  }

  return {
    restore: renewal.restore,
    async arrive(accountId): Promise<Arrival | undefined> {
      connections.set(accountId, (connections.get(accountId) ?? 0) + 1)
      try {
        const named = await seen.name([accountId])
        await renewal.register(named)
        return { at: named.at, coveredSince: named.coveredSince[0] ?? named.at }
      } catch {
        leave(accountId)
        return undefined
      }
    },
    leave,
    listeners: () => seen.present().catch(() => undefined),
    async close() {
      beating.stop()
      await renewal.restore()
      await seen.removeProcess().catch(() => {})
    },
  }
}
