import type { Http2Server, ServerHttp2Session } from 'node:http2'
import type { Server } from '@grpc/grpc-js'
import { immediate } from '@rookery/handles'

const PAYLOAD = Buffer.alloc(8)

/** Pings count as answered once a session is closing; it ends with its last call, or at the end of its grace period. */
const pingWhileOpen = (session: ServerHttp2Session) => {
  const ping = session.ping.bind(session) as (answered: PingCallback) => boolean
  const pingOrNot = (answered: PingCallback) => {
    if (!session.closed) return ping(answered)
    immediate(() => answered(null, 0, PAYLOAD), { onError: () => {} })
    return true
  }
  session.ping = pingOrNot as typeof session.ping
}
type PingCallback = (error: Error | null, duration: number, payload: Buffer) => void

/** grpc-js's handlers of a server's sessions; it has two, with and without channelz. */
type SessionHandlers = Record<'_sessionHandler' | '_channelzSessionHandler', (server: Http2Server) => (session: ServerHttp2Session) => void>

/**
 * Fixes a server of grpc-js 1.14.7. Node sends no pings on a closing session (Http2Session, ping), which the server takes for a dead
 * caller: it would destroy the session with all calls under way, though callers were only asked to reconnect.
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
