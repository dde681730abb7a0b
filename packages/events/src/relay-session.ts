import { openSession, type SessionLimits } from '@rookery/database'
import { every } from '@rookery/handles'
import pg from 'pg'

/** The advisory lock of relays; a schema's lock is (this, hash of the schema's name). */
const RELAY_LOCK = 4_711
/** idle_session_timeout: Postgres ends the session of a relay that sends nothing for this long, in milliseconds, and frees the lock. */
const IDLE_MILLISECONDS = 10_000

const LOCK = `select pg_try_advisory_lock($1, hashtext(current_schema())) as held, (select id from outbox order by id limit 1) as oldest`

type RelaySessionOptions = {
  url: string
  /** Channel of NOTIFY that wakes the relay. */
  listen?: string
  wake: () => void
  limits?: Partial<SessionLimits>
  idleMilliseconds?: number
}

export type RelaySession = Awaited<ReturnType<typeof openRelaySession>>

/** A session that works the outbox while it holds the schema's advisory lock, and requests it again while another relay does. */
export const openRelaySession = async ({ idleMilliseconds = IDLE_MILLISECONDS, ...options }: RelaySessionOptions) => {
  const { url, limits = {} } = options
  const client = await openSession({ url, limits, settings: { idle_session_timeout: `${idleMilliseconds}ms` } })
  let isLost = false
  let isHolding = false
  const lose = () => {
    isLost = true
    isHolding = false
  }
  client.on('error', lose).on('end', lose)
  client.on('notification', options.wake)
  return {
    client,
    isLost: () => isLost,
    isHolding: () => isHolding,
    /** Requests the lock. While another relay holds it, returns the oldest event of the outbox. */
    async requestLock(): Promise<{ oldest: string | undefined }> {
      const { rows } = await client.query<{ held: boolean; oldest: string | null }>(LOCK, [RELAY_LOCK])
      isHolding = rows[0]!.held
      if (isHolding && options.listen) await client.query(`listen ${pg.escapeIdentifier(options.listen)}`)
      return { oldest: rows[0]!.oldest ?? undefined }
    },
    /** Keeps the session alive, and with it the lock, during work outside the database. */
    async keepDuring<Result>(work: Promise<Result>): Promise<Result> {
      const beating = every(idleMilliseconds / 4, () => client.query('select 1'), { onError: () => {} })
      try {
        return await work
      } finally {
        beating.stop()
      }
    },
  }
}
