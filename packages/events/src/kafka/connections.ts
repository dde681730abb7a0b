import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ISocketFactory } from 'kafkajs'

/** TCP keepalive: the idle time after which the kernel probes a connection, in milliseconds. */
const PROBE_AFTER = 5000

/** The connections of one client, which can be cut together. */
export type Connections = {
  /** The socket factory for kafkajs. */
  readonly open: ISocketFactory
  /** Destroys all connections; pending requests on them fail, and new ones are opened. */
  drop(reason: string): void
  /** Destroys all connections and opens no more: retries on a new one fail too. */
  close(reason: string): void
}

/**
 * Tracks a client's connections. kafkajs lets a request on a silent connection time out and sends the next one on it again, for as long as
 * TCP takes to notice.
 */
export const trackConnections = (): Connections => {
  const sockets = new Set<Socket>()
  let closed: string | undefined
  const drop = (reason: string) => {
    for (const socket of sockets) socket.destroy(new Error(reason))
  }
  return {
    open({ host, port, ssl, onConnect }) {
      if (closed !== undefined) throw new Error(closed)
      const name = isIP(host) ? {} : { servername: host }
      const socket = ssl ? connectTls({ host, port, ...name, ...ssl }, onConnect) : connect({ host, port }, onConnect)
      socket.setKeepAlive(true, PROBE_AFTER)
      sockets.add(socket)
      // kafkajs removes its error listener when it drops a connection, which may still break after that.
      socket.on('error', () => {})
      return socket.once('close', () => {
        sockets.delete(socket)
        // kafkajs drops a closed connection again on each retry, and each time would wait for a connection that never comes.
        socket.unref = () => socket
      })
    },
    drop,
    close(reason) {
      closed = reason
      drop(reason)
    },
  }
}
