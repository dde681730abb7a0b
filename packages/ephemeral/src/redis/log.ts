import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { KEPT_MILLISECONDS, MAX_LOG_BYTES, MAX_LOG_ENTRIES } from '../limits.ts'
import type { Position } from '../position.ts'

/** The message of a gap: messages before it may be missing. No live message is empty. */
export const GAP = Buffer.alloc(0)

/** After that time without a publisher and a reader the log is gone. */
const LIFETIME_SECONDS = 2 * 60 * 60
/** How much one process publishes before it looks at what the log takes, in bytes. */
const CHECK_BYTES = 1024 * 1024
/** What is cut when the log takes too much, so that it is not cut each time. */
const SPARE = 0.9

/**
 * Gives the epoch of the log. The log begins again, with a gap, when part of it may be lost: it is not there, or Redis was started since
 * and may have read it from an older file. KEYS: the log, its epoch. ARGV: a name for a new epoch, the run of Redis, the lifetime.
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

/** A message as Redis keeps it. */
export type RedisEntry = { readonly id: string; readonly message: Buffer }
type Answer = [key: Buffer, items: [id: Buffer, fields: Buffer[]][]][] | null

const entriesIn = (answer: Answer): RedisEntry[] =>
  // A copy: what Redis answers together would stay in memory together.
  (answer?.[0]?.[1] ?? []).map(([id, fields]) => ({ id: id.toString(), message: Buffer.from(fields[1] ?? GAP) }))

/** Before the first message. */
export const START = '0-0'

/** The position of a message. */
export const positionOf = (epoch: string, id: string): Position => {
  const [time, sequence] = id.split('-')
  return { epoch, time: Number(time), sequence: Number(sequence) }
}

const epochIn = (begun: string): string => begun.slice(0, 8)

/** The log of live messages in a stream of Redis, and beside it the name of its epoch. */
export const redisLog = (prefix: string) => {
  const log = `${prefix}live:log`
  const epoch = `${prefix}live:epoch`

  /** Trims the log to its bounds in time and bytes. */
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
        // What begins does so with a gap.
        if (message.length > 0) await add()
      }
      published += message.length
      if (published < CHECK_BYTES) return
      published = 0
      // The number of messages is bounded in any case.
      trim(client).catch(() => {})
    },
    /** What comes after an id, at most so many at once. */
    after: async (client: Redis, id: string, count: number): Promise<RedisEntry[]> =>
      entriesIn((await client.xreadBuffer('COUNT', count, 'STREAMS', log, id)) as Answer),
    /** What comes after an id, once something does or the wait is over; and the epoch that holds after that. */
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
