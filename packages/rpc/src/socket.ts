import { chmodSync, existsSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'

const PREFIX = 'unix:'
const pathOf = (address: string) => (address.startsWith(PREFIX) ? address.slice(PREFIX.length) : undefined)

const isServed = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => socket.end(() => resolve(true))).once('error', () => resolve(false))
  })

/** Removes the file of a `unix:` address that a killed server left. @throws Error when a server listens on it */
export const claimSocket = async (address: string): Promise<void> => {
  const path = pathOf(address)
  if (!path || !existsSync(path)) return
  if (await isServed(path)) throw new Error(`Another process serves ${path}.`)
  unlinkSync(path)
}

/** Leaves the file of a `unix:` address to its owner alone. */
export const protectSocket = (address: string): void => {
  const path = pathOf(address)
  if (path) chmodSync(path, 0o600)
}
