// Preloaded by processes under test (node --import): connections to PUSH_ADDRESS end at PUSH_PORT of this machine, as if its network led there.
// The product itself reaches public addresses only.
import { Socket } from 'node:net'

const [address, port] = [process.env['PUSH_ADDRESS'], Number(process.env['PUSH_PORT'])]
type Connect = (this: Socket, ...given: unknown[]) => Socket
const connect = Socket.prototype.connect as Connect

const here: Connect = function (...given) {
  // net.connect gives [options, callback] as one list.
  const options = (Array.isArray(given[0]) ? given[0][0] : given[0]) as { host?: string; port?: number } | undefined
  if (address && options?.host === address) Object.assign(options, { host: '127.0.0.1', port })
  return connect.apply(this, given)
}
Socket.prototype.connect = here as typeof Socket.prototype.connect
