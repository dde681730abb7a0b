import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { KEPT_MILLISECONDS, MAX_LOG_BYTES, MAX_LOG_ENTRIES } from '../limits.ts'
import type { Position } from '../position.ts'

/** The entry that marks a gap: messages before it may be missing. No live message is empty. */
export const GAP = Buffer.alloc(0)

/** TTL of the log without a publisher or reader. */
const LIFETIME_SECONDS = 2 * 60 * 60
/** Bytes that one process publishes between two checks of the log's size. */
const CHECK_BYTES = 1024 * 1024
/** The share of the limit that a trim leaves, so that not every check trims. */
const SPARE = 0.9

/**
 * Returns the epoch of the log. Begins a new log, with a gap, when part of it may be lost: the key is missing, or Redis was restarted and
 * may have loaded an older snapshot. KEYS: the log, its epoch. ARGV: a name for a new epoch, the run id of Redis, the TTL.
 */
const BEGIN = `
local known = redis.call('GET', KEYS[2])
if known and redis.call('EXISTS', KEYS[1]) == 1 and string.sub(known, 10) == ARGV[2] then
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  redis.call('EXPIRE', KEYS[2], ARGV[3])
  return known
end
local begun = ARGV[1] .. '/' .. ARGV[2]
redis.call('DEL', KEYS[1])
redis.call('XADD', KEYS[1], '*', 'm', '')
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], begun, 'EX', ARGV[3])
return begun`

/** A message as stored in Redis. */
export type RedisEntry = { readonly id: string; readonly message: Buffer }
type Answer = [key: Buffer, items: [id: Buffer, fields: Buffer[]][]][] | null

const entriesIn = (answer: Answer): RedisEntry[] =>
  // Copied: the entries of one reply would otherwise keep each other's memory alive.
  (answer?.[0]?.[1] ?? []).map(([id, fields]) => ({ id: id.toString(), message: Buffer.from(fields[1] ?? GAP) }))

/** The id before the first message. */
export const START = '0-0'

/** The position of a message. */
export const positionOf = (epoch: string, id: string): Position => {
  const [time, sequence] = id.split('-')
  return { epoch, time: Number(time), sequence: Number(sequence) }
}

const epochIn = (begun: string): string => begun.slice(0, 8)

/** The log of live messages in a Redis stream, and its epoch in a key beside it. */
export const redisLog = (prefix: string) => {
  const log = `${prefix}live:log`
  const epoch = `${prefix}live:epoch`

  /** Trims the log to its limits of age and bytes. */
  const trim = async (client: Redis) => {
    const [time] = await client.time()
    await client.xtrim(log, 'MINID', '~', Number(time) * 1000 - KEPT_MILLISECONDS)
    const [bytes, length] = [Number(await client.memory('USAGE', log, 'SAMPLES', 20)), await client.xlen(log)]
    if (bytes > MAX_LOG_BYTES) await client.xtrim(log, 'MAXLEN', Math.floor((length * MAX_LOG_BYTES * SPARE) / bytes))
  }

  /** @throws Error when Redis is unreachable */
  const begin = async (client: Redis): Promise<string> => {
    const [, run = ''] = /run_id:(\w+)/.exec(await client.info('server')) ?? []
    const name = randomBytes(4).toString('hex')
    return epochIn(String(await client.eval(BEGIN, 2, log, epoch, name, run, LIFETIME_SECONDS)))
  }

  let published = 0

  return {
    begin,
    /** @throws Error when Redis is unreachable */
    async append(client: Redis, message: Buffer): Promise<void> {
      const add = () => client.xadd(log, 'NOMKSTREAM', 'MAXLEN', '~', MAX_LOG_ENTRIES, '*', 'm', message)
      if ((await add()) === null) {
        await begin(client)
        // A new log begins with a gap already.
        if (message.length > 0) await add()
      }
      published += message.length
      if (published < CHECK_BYTES) return
      published = 0
      // MAXLEN limits the number of messages in any case.
      trim(client).catch(() => {})
    },
    /** At most `count` messages after an id. */
    after: async (client: Redis, id: string, count: number): Promise<RedisEntry[]> =>
      entriesIn((await client.xreadBuffer('COUNT', count, 'STREAMS', log, id)) as Answer),
    /** Messages after an id, once there are some or the wait is over; and the epoch read after them. */
    async next(client: Redis, id: string, given: { count: number; waitMilliseconds: number }) {
      const { count, waitMilliseconds } = given
      const answers = await client.pipeline().xreadBuffer('COUNT', count, 'BLOCK', waitMilliseconds, 'STREAMS', log, id).get(epoch).exec()
      const [[fault, entries] = [], [, begun] = []] = answers ?? []
      if (fault || !answers) throw fault ?? new Error('Redis did not read the log')
      return { entries: entriesIn(entries as Answer), epoch: typeof begun === 'string' ? epochIn(begun) : undefined }
    },
  }
}

export type RedisLog = ReturnType<typeof redisLog>
