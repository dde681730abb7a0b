import { chmodSync, existsSync, unlinkSync } from 'node:fs'
import { isListening } from '@rookery/handles'

const PREFIX = 'unix:'
const pathOf = (address: string) => (address.startsWith(PREFIX) ? address.slice(PREFIX.length) : undefined)

/** Removes the file of a `unix:` address that a killed server left behind. @throws Error when a server listens on it */
export const claimSocket = async (address: string): Promise<void> => {
  const path = pathOf(address)
  if (!path || !existsSync(path)) return
  if (await isListening(path)) throw new Error(`Another process serves ${path}.`)
  unlinkSync(path)
}

/** Makes the file of a `unix:` address accessible to its owner only. */
export const protectSocket = (address: string): void => {
  const path = pathOf(address)
  if (path) chmodSync(path, 0o600)
}
