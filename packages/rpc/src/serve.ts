import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type MethodDefinition,
  Server,
  type ServerReadableStream,
  type ServerUnaryCall,
  type sendUnaryData,
  type UntypedHandleCall,
} from '@grpc/grpc-js'
import { asFailure, type Failure, unavailable } from '@rookery/failures'
import { after } from '@rookery/handles'
import { toWire } from './codes.ts'
import { keyCheck, type RpcCredentials, serverCredentials } from './credentials.ts'
import { type Call, type CallMeter, type Handler, type Method, metered, pathOf } from './definition.ts'
import { HEALTH } from './health-check.ts'
import { refuseStrangers } from './refuse-strangers.ts'
import { claimSocket, protectSocket } from './socket.ts'
import { MESSAGE_LIMITS } from './wire.ts'

const DEFAULT_SECONDS = 30

/** Connections are closed by GOAWAY after some minutes, at a random moment around them: their callers come back and find new replicas. */
const CONNECTIONS = {
  'grpc.max_concurrent_streams': 1000,
  'grpc.max_connection_age_ms': 300_000,
  'grpc.max_connection_age_grace_ms': 30_000,
  // A caller that is gone without a word is noticed, and its calls end.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5000,
} as const

type ServerCall = ServerUnaryCall<unknown, unknown> | ServerReadableStream<unknown, unknown>

/** Receives failures that are our own fault. */
export type FaultObserver = (path: string, cause: unknown) => void

/** Receives what a server answered. */
type ServeOptions = {
  onFault?: FaultObserver
  meter?: CallMeter
  /** Who may call; anyone who reaches the address unless given. */
  credentials?: RpcCredentials
}

const callOf = (wire: ServerCall): Call => {
  const given = wire.getDeadline()
  const deadline = given instanceof Date ? given.getTime() : Number.isFinite(given) ? given : Date.now() + DEFAULT_SECONDS * 1000
  const gone = new AbortController()
  ;(wire as ServerUnaryCall<unknown, unknown>).on('cancelled', () => gone.abort())
  const [trace = ''] = wire.metadata.get('trace')
  const [reservation] = wire.metadata.get('reservation')
  return { deadline, signal: gone.signal, trace: String(trace), reservation: reservation === undefined ? undefined : String(reservation) }
}

/** The requests of a stream. One that was broken off first looks like one that came to its end; a moment later it is known which. */
async function* wholeStream(requests: AsyncIterable<unknown>, gone: AbortSignal) {
  yield* requests
  await nextTurn()
  if (gone.aborted) throw unavailable('the caller has gone')
}

const definitionOf = (path: string, method: Method): MethodDefinition<unknown, unknown> => ({
  path,
  requestStream: method.requestStream,
  responseStream: false,
  requestSerialize: (message) => Buffer.from(method.requestType.encode(message).finish()),
  requestDeserialize: (bytes) => method.requestType.decode(bytes),
  responseSerialize: (message) => {
    const bytes = method.responseType.encode(message).finish()
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  },
  responseDeserialize: (bytes) => method.responseType.decode(bytes),
})

/** One method of a module as grpc-js calls it. */
const handleCall = (path: string, run: (call: Call, request: unknown) => Promise<unknown>, { meter, onFault }: ServeOptions) => {
  const answer = async (call: Call, request: unknown) => {
    try {
      return await run(call, request)
    } catch (error) {
      const failure = asFailure(error)
      if (failure.kind === 'broken') onFault?.(path, error)
      throw failure
    }
  }
  return ((wire: ServerCall, reply: sendUnaryData<unknown>) => {
    const call = callOf(wire)
    const request = 'request' in wire ? wire.request : wholeStream(wire, call.signal)
    void (meter ? metered(meter, path, () => answer(call, request)) : answer(call, request)).then(
      (message) => reply(null, message),
      (failure: Failure) => reply(toWire(failure), null),
    )
  }) as UntypedHandleCall
}

/**
 * Serves modules over gRPC at `host:port` (port 0: any) or `unix:/path`, a file that only its owner may reach.
 * Answers with the port it listens on, a stop that lets running calls finish for so many milliseconds, and before that a way to have callers
 * come back: their connections end once the calls on them have, they ask again who there is, and new callers are still answered.
 * @throws Error when the address is taken
 */
export const serve = async (
  handlers: readonly Handler[],
  address: string,
  options: ServeOptions = {},
): Promise<{ port: number; sendAway(graceMilliseconds?: number): void; stop(graceMilliseconds?: number): Promise<void> }> => {
  const interceptors = [refuseStrangers(keyCheck(options.credentials))]
  const server = new Server({ ...MESSAGE_LIMITS, ...CONNECTIONS, interceptors })
  for (const { definition, implementation } of handlers) {
    const methods: Record<string, MethodDefinition<unknown, unknown>> = {}
    const calls: Record<string, UntypedHandleCall> = {}
    for (const [key, method] of Object.entries(definition.methods)) {
      const path = pathOf(definition, method)
      const run = implementation[key] as (call: Call, request: unknown) => Promise<unknown>
      methods[key] = definitionOf(path, method)
      calls[key] = handleCall(path, run.bind(implementation), options)
    }
    server.addService(methods, calls)
  }
  server.addService(HEALTH.methods, HEALTH.calls)
  await claimSocket(address)
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(address, serverCredentials(options.credentials), (error, bound) => (error ? reject(error) : resolve(bound))),
  )
  protectSocket(address)
  return {
    port,
    sendAway: (graceMilliseconds = 5000) => server.drain(address.replace(/:0$/, `:${port}`), graceMilliseconds),
    stop: (graceMilliseconds = 5000) =>
      new Promise((resolve) => {
        const onError = (error: unknown) => options.onFault?.('', error)
        const late = after(graceMilliseconds, () => server.forceShutdown(), { onError })
        server.tryShutdown(() => {
          late.stop()
          resolve()
        })
      }),
  }
}
