import { openSession, type Session } from '@rookery/database'

/** Opens a session for statements on whole tables, in a transaction that is idle while files are read and written. */
export const openLongSession = (url: string): Promise<Session> =>
  openSession({ url, limits: { statement: Number.POSITIVE_INFINITY }, settings: { idle_in_transaction_session_timeout: '0' } })
