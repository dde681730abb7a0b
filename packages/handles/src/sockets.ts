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

/** What the other side of a connection may take. */
type ConnectionLimits = {
  /** Until it is connected, in milliseconds. */
  readonly connectMilliseconds: number
  /** From its beginning to its end, in milliseconds. */
  readonly milliseconds: number
  /** What it may send in all. */
  readonly maxBytes: number
}

const LOOK_MILLISECONDS = 20

/** Connects to an address. The connection is destroyed when it takes longer than it may, or the other side sends more than it may. @throws Error where there is none in time */
export const openConnection = (address: { host: string; port: number }, limits: ConnectionLimits): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(address)
    const end = (why: string) => socket.destroy(new Error(why))
    const look = () => {
      // Where TLS lies over the socket no event tells what arrives.
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
