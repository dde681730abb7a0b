import { createRequire } from 'node:module'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { after } from '@rookery/handles'

/** The channel option for the timeout of a connect, in milliseconds. */
export const CONNECT_TIMEOUT = 'rookery.connect_timeout_ms'
const DEFAULT_MILLISECONDS = 2000

type Options = Readonly<Record<string, unknown>>
type Transport = { readonly session: { readonly closed: boolean }; canSendPing(): boolean }
type Connector = {
  prototype: {
    tcpConnect(address: NetConnectOpts, options: Options): Promise<Socket>
    createSession(...given: unknown[]): Promise<Transport>
  }
}

/** Connects a socket. It is destroyed if the server has not sent anything in time: a gRPC server speaks first. */
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
    // Later owners of the socket remove their listeners after a while.
    socket.on('error', () => {}).once('close', late.stop)
  })

/** A connection that received GOAWAY closes once its calls end; Node sends no pings on it any more. */
const withoutPingsWhenClosing = (transport: Transport): Transport => {
  const canSendPing = transport.canSendPing.bind(transport)
  transport.canSendPing = () => !transport.session.closed && canSendPing()
  return transport
}

let isMended = false

/**
 * Fixes two faults of grpc-js 1.14.7. It waits for a connection as long as the kernel does, which is minutes, and for one that is accepted
 * but silent for ever; calls wait with it until their deadline. And a ping that cannot be sent because the server is about to stop counts
 * as unanswered, so that running calls are lost within the ping timeout.
 */
export const patchConnecting = (): void => {
  if (isMended) return
  isMended = true
  const { Http2SubchannelConnector } = createRequire(import.meta.url)('@grpc/grpc-js/build/src/transport.js') as {
    Http2SubchannelConnector: Connector
  }
  const { prototype } = Http2SubchannelConnector
  const { createSession } = prototype
  prototype.tcpConnect = connectInTime
  prototype.createSession = async function (...given) {
    return withoutPingsWhenClosing(await createSession.apply(this, given))
  }
}
