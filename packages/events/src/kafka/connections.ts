import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ISocketFactory } from 'kafkajs'

/** The time after which the kernel probes a connection that says nothing, in milliseconds. */
const PROBE_AFTER = 5000

/** The connections of one client, which can be cut together. */
export type Connections = {
  /** Makes them, for kafkajs. */
  readonly open: ISocketFactory
  /** Destroys all there are; what waits for an answer on them fails, and new ones are made. */
  drop(reason: string): void
  /** Destroys all there are, and makes no more: what would try again on a new one fails too. */
  close(reason: string): void
}

/**
 * Keeps hold of a client's connections. kafkajs lets a request on a silent one time out and sends the next one on it again, for as long as TCP
 * takes to notice.
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
      // kafkajs listens until it lets go of a connection, which may break after that.
      socket.on('error', () => {})
      return socket.once('close', () => {
        sockets.delete(socket)
        // kafkajs lets go of a closed one with each try; each time it would wait for a connection that never comes.
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
