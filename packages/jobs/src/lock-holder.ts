import { openSession, type Session, type SessionLimits } from '@rookery/database'

/**
 * idle_session_timeout: Postgres ends a session that has not swept for this long, and frees its locks: its process is dead or unreachable.
 */
const IDLE_SESSION = '15s'

type HolderOptions = {
  url: string
  limits: Partial<SessionLimits>
  /** The prefix of the locks' keys. */
  space: string
  /** The keys to lock. */
  keys: ReadonlySet<string>
}

/** A session whose advisory locks show that this process is alive: they end with it. After it is lost, the next `send` opens another. */
type LockHolder = {
  /** Locks or unlocks a key that was added or removed. A session opened later locks all keys by itself. */
  change(key: string): void
  /** Sends a statement; a session on which it fails is dropped. */
  send(statement: string, values: unknown[]): Promise<unknown>
  close(): Promise<void>
}

/** Holds advisory locks for a set of keys; opens its session with the first statement. */
export const lockHolder = ({ url, limits, space, keys }: HolderOptions): LockHolder => {
  let holder: Promise<Session> | undefined
  let isClosed = false
  /** The keys this session has locked: one locked twice would have to be unlocked twice. */
  let locked = new Set<string>()

  let turns: Promise<unknown> = Promise.resolve()
  /** A session takes one statement at a time. */
  const serialize = (work: () => Promise<unknown>) => {
    turns = turns.then(work).catch(() => {})
    return turns
  }

  const syncLock = async (client: Session, key: string) => {
    const isWanted = keys.has(key)
    if (locked.has(key) === isWanted) return
    await client.query(`select pg_advisory_${isWanted ? 'lock' : 'unlock'}(hashtext($1), hashtext($2))`, [space, key])
    locked[isWanted ? 'add' : 'delete'](key)
  }

  const open = async () => {
    const client = await openSession({ url, limits, settings: { idle_session_timeout: IDLE_SESSION } })
    locked = new Set()
    try {
      for (const key of keys) await syncLock(client, key)
    } catch (error) {
      client.destroy()
      throw error
    }
    return client
  }
  const connect = () => {
    const own = open()
    const forget = () => {
      if (holder === own) holder = undefined
    }
    own.then((client) => client.once('end', forget), forget)
    return own
  }

  return {
    change(key) {
      void serialize(async () => {
        const client = await holder
        if (client) await syncLock(client, key)
      })
    },
    send: (statement, values) =>
      serialize(async () => {
        if (isClosed) return
        holder ??= connect()
        const client = await holder
        await client.query(statement, values).catch(() => client.destroy())
      }),
    async close() {
      isClosed = true
      await holder?.then((client) => client.end()).catch(() => {})
    },
  }
}
