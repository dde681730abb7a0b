import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { createServer } from 'node:net'

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** Reserves a port by binding the UDP port of the same number, which no store uses; undefined if another process has it. */
const claim = (port: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.on('error', () => {
      socket.close()
      resolve(undefined)
    })
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(socket.unref()))
  })

/**
 * Reserves a range of free ports and returns the first. While this process lives, no process that calls this gets one of them, even if
 * nothing listens on it yet. They are below the kernel's ephemeral ports, so that a client that reconnects while its server is down cannot
 * get the server's own port.
 */
export const freePorts = async (wanted: number): Promise<number> => {
  for (;;) {
    const first = randomInt(20_000, 30_000)
    const ports = Array.from({ length: wanted }, (_, index) => first + index)
    const claims = await Promise.all(ports.map(claim))
    if (claims.every(Boolean) && (await Promise.all(ports.map(isFree))).every(Boolean)) return first
    for (const socket of claims) socket?.close()
  }
}
