import { connect, type Socket } from 'node:net'
import { after, every } from './timers.ts'

/** Whether a process listens on the socket at a path. */
export const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.on('error', () => resolve(false))
    socket.once('connect', () => {
      resolve(true)
      socket.destroy()
    })
  })

/** Limits of a connection. */
type ConnectionLimits = {
  /** Timeout of the connect, in milliseconds. */
  readonly connectMilliseconds: number
  /** Deadline of the whole connection, in milliseconds. */
  readonly milliseconds: number
  /** Maximum bytes that the peer may send. */
  readonly maxBytes: number
}

const LOOK_MILLISECONDS = 20

/** Connects to an address. The connection is destroyed when it exceeds a limit. @throws Error when it is not connected in time */
export const openConnection = (address: { host: string; port: number }, limits: ConnectionLimits): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(address)
    const end = (why: string) => socket.destroy(new Error(why))
    const look = () => {
      // With TLS over the socket, no event tells how many bytes arrive.
      if (socket.bytesRead > limits.maxBytes) end('the other side sends more than it may')
    }
    const options = { onError: reject, holdsProcess: false }
    const late = after(limits.connectMilliseconds, () => end('no connection in time'), options)
    const timers = [
      late,
      after(limits.milliseconds, () => end('the other side takes too long'), options),
      every(LOOK_MILLISECONDS, look, options),
    ]
    socket
      .once('connect', () => {
        late.stop()
        resolve(socket)
      })
      .on('error', reject)
      .once('close', () => {
        for (const timer of timers) timer.stop()
        reject(new Error('the connection was closed'))
      })
  })
