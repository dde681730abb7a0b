import { type Metadata, ServerInterceptingCall, type ServerInterceptor, ServerListenerBuilder, status } from '@grpc/grpc-js'

/** The answer to a caller without the key. */
const UNAUTHENTICATED = { code: status.UNAUTHENTICATED, details: 'the caller does not have the key of the services' }

/** Ends unauthenticated calls after their headers: none of their messages is decompressed, decoded or buffered. */
export const refuseUnauthenticated =
  (mayCall: (metadata: Metadata) => boolean): ServerInterceptor =>
  (_method, call) => {
    const listener = new ServerListenerBuilder().withOnReceiveMetadata((metadata, accept) => {
      if (mayCall(metadata)) accept(metadata)
      else call.sendStatus(UNAUTHENTICATED)
    })
    return new ServerInterceptingCall(call, { start: (begin) => begin(listener.build()) })
  }
