import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * A run of free ports, as many as wanted. They lie below those the kernel hands out, lest a client that tries again while its server is
 * down be given the server's own port.
 */
export const freePorts = async (wanted: number): Promise<number> => {
  for (;;) {
    const first = randomInt(20_000, 30_000)
    const free = await Promise.all(Array.from({ length: wanted }, (_, index) => isFree(first + index)))
    if (free.every(Boolean)) return first
  }
}
