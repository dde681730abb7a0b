import { openSession, type SessionLimits } from '@rookery/database'
import { every } from '@rookery/handles'
import pg from 'pg'

/** The advisory lock of relays; one schema's lock is (this, hash of the schema's name). */
const RELAY_LOCK = 4_711
/** The server ends the session of a relay that says nothing for so long, in milliseconds, and frees the lock for another one. */
const IDLE_MILLISECONDS = 10_000

const LOCK = `select pg_try_advisory_lock($1, hashtext(current_schema())) as held, (select id from outbox order by id limit 1) as oldest`

type RelaySessionOptions = {
  url: string
  /** Wakes by NOTIFY on this channel. */
  listen?: string
  wake: () => void
  limits?: Partial<SessionLimits>
  idleMilliseconds?: number
}

export type RelaySession = Awaited<ReturnType<typeof openRelaySession>>

/** A session that works the outbox while it holds the schema's lock, and asks for it again while another does. */
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
    /** Asks for the lock. While another relay has it, returns the oldest event that waits. */
    async requestLock(): Promise<{ oldest: string | undefined }> {
      const { rows } = await client.query<{ held: boolean; oldest: string | null }>(LOCK, [RELAY_LOCK])
      isHolding = rows[0]!.held
      if (isHolding && options.listen) await client.query(`listen ${pg.escapeIdentifier(options.listen)}`)
      return { oldest: rows[0]!.oldest ?? undefined }
    },
    /** Keeps the session, and with it the lock, while something else than the database takes its time. */
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
