import { connect } from 'node:net'

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
