import { createRequire } from 'node:module'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { after } from '@rookery/handles'

/** The option of a channel that says how long a connection may take, in milliseconds. */
export const CONNECT_TIMEOUT = 'rookery.connect_timeout_ms'
const DEFAULT_MILLISECONDS = 2000

type Options = Readonly<Record<string, unknown>>
type Connector = { prototype: { tcpConnect(address: NetConnectOpts, options: Options): Promise<Socket> } }

/** A socket that is connected. It is destroyed when the other side has not said anything in time: a server of gRPC speaks first. */
const connectInTime = (address: NetConnectOpts, options: Options) =>
  new Promise<Socket>((resolve, reject) => {
    const milliseconds = Number(options[CONNECT_TIMEOUT] ?? DEFAULT_MILLISECONDS)
    const socket = connect(address)
    const expire = () => {
      if (socket.bytesRead === 0) socket.destroy(new Error(`no answer within ${milliseconds} milliseconds`))
    }
    const late = after(milliseconds, expire, { onError: reject, holdsProcess: false })
    const end = (finish: () => void) => {
      socket.off('error', fail).off('close', close)
      finish()
    }
    const fail = (error: Error) => end(() => reject(error))
    const close = () => end(() => reject(new Error('the connection was closed')))
    socket
      .once('connect', () => end(() => resolve(socket)))
      .once('error', fail)
      .once('close', close)
    // Later owners of the socket listen for a while only.
    socket.on('error', () => {}).once('close', late.stop)
  })

let isBound = false

/**
 * grpc-js 1.14.7 waits for a connection as long as the kernel does, which is minutes, and for one that is accepted and silent for ever; calls
 * wait with it until their deadline.
 */
export const boundConnecting = (): void => {
  if (isBound) return
  isBound = true
  const { Http2SubchannelConnector } = createRequire(import.meta.url)('@grpc/grpc-js/build/src/transport.js') as {
    Http2SubchannelConnector: Connector
  }
  Http2SubchannelConnector.prototype.tcpConnect = connectInTime
}
