import type { Http2Server, ServerHttp2Session } from 'node:http2'
import type { Server } from '@grpc/grpc-js'
import { soon } from '@rookery/handles'

const PAYLOAD = Buffer.alloc(8)

/** Pings count as answered from the moment a session closes; it ends with its last call, and at the latest when its grace does. */
const pingWhileOpen = (session: ServerHttp2Session) => {
  const ping = session.ping.bind(session) as (answered: PingCallback) => boolean
  const pingOrNot = (answered: PingCallback) => {
    if (!session.closed) return ping(answered)
    soon(() => answered(null, 0, PAYLOAD), { onError: () => {} })
    return true
  }
  session.ping = pingOrNot as typeof session.ping
}
type PingCallback = (error: Error | null, duration: number, payload: Buffer) => void

/** What grpc-js does with the sessions of a server; it has two of these, with and without channelz. */
type SessionHandlers = Record<'_sessionHandler' | '_channelzSessionHandler', (server: Http2Server) => (session: ServerHttp2Session) => void>

/**
 * Mends a server of grpc-js 1.14.7. Node sends no pings on a session that closes (Http2Session, ping), which the server takes for a caller that is
 * gone: it would destroy the session with all calls under way, though callers were only asked to come back.
 */
export const keepClosingSessions = (server: Server): void => {
  const handlers = server as unknown as SessionHandlers
  for (const name of ['_sessionHandler', '_channelzSessionHandler'] as const) {
    const handlerOf = handlers[name].bind(server)
    handlers[name] = (http2Server) => {
      const handle = handlerOf(http2Server)
      return (session) => {
        pingWhileOpen(session)
        handle(session)
      }
    }
  }
}
