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
import { keepClosingSessions } from './keep-closing.ts'
import { refuseUnauthenticated } from './refuse-unauthenticated.ts'
import { EXCHANGE, type Shared, serveExchange } from './serve-exchange.ts'
import { claimSocket, protectSocket } from './socket.ts'
import { bytesOf, MESSAGE_LIMITS } from './wire.ts'

const DEFAULT_SECONDS = 30

/** How often callers are pinged, in milliseconds: dead ones are noticed, and their calls cancelled. */
const PING_EVERY = 10_000

/** Connections are closed by GOAWAY after some minutes, with jitter: callers reconnect and find new replicas. */
const CONNECTIONS = {
  'grpc.max_concurrent_streams': 1000,
  'grpc.max_connection_age_ms': 300_000,
  'grpc.max_connection_age_grace_ms': 30_000,
  'grpc.keepalive_timeout_ms': 5000,
} as const

type ServerCall = ServerUnaryCall<unknown, unknown> | ServerReadableStream<unknown, unknown>

/** Receives unexpected errors. */
export type FaultObserver = (path: string, cause: unknown) => void

/** Options of a server. */
type ServeOptions = {
  onFault?: FaultObserver
  meter?: CallMeter
  /** Credentials that callers need; without, anyone who reaches the address may call. */
  credentials?: RpcCredentials
  /** How often callers are pinged, in milliseconds; every ten seconds by default. */
  pingEvery?: number
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

/** The requests of a stream. An aborted stream first looks like a finished one; a turn of the event loop later it is known which. */
async function* wholeStream(requests: AsyncIterable<unknown>, gone: AbortSignal) {
  yield* requests
  await nextTurn()
  if (gone.aborted) throw unavailable('the caller has gone')
}

const definitionOf = (path: string, method: Method): MethodDefinition<unknown, unknown> => ({
  path,
  requestStream: method.requestStream,
  responseStream: false,
  requestSerialize: (message) => bytesOf(method.requestType.encode(message)),
  requestDeserialize: (bytes) => method.requestType.decode(bytes),
  responseSerialize: (message) => bytesOf(method.responseType.encode(message)),
  responseDeserialize: (bytes) => method.responseType.decode(bytes),
})

type Answer = (call: Call, request: unknown) => Promise<unknown>

/** One method of a module, which throws Failure; unexpected errors are reported. */
const answering = (path: string, run: Answer, { meter, onFault }: ServeOptions): Answer => {
  const answer = async (call: Call, request: unknown) => {
    try {
      return await run(call, request)
    } catch (error) {
      const failure = asFailure(error)
      // An error that became a failure here was not reported elsewhere.
      if (failure.kind === 'broken' || failure !== error) onFault?.(path, error)
      throw failure
    }
  }
  return meter ? (call, request) => metered(meter, path, () => answer(call, request)) : answer
}

/** One method of a module as a handler of grpc-js. */
const handleCall = (answer: Answer) =>
  ((wire: ServerCall, reply: sendUnaryData<unknown>) => {
    const call = callOf(wire)
    const request = 'request' in wire ? wire.request : wholeStream(wire, call.signal)
    void answer(call, request).then(
      (message) => reply(null, message),
      (failure: Failure) => reply(toWire(failure), null),
    )
  }) as UntypedHandleCall

/** Serves the methods of modules, each as a regular call, and those with a single request also over shared streams. */
const addHandlers = (server: Server, handlers: readonly Handler[], options: ServeOptions) => {
  const shared = new Map<string, Shared>()
  for (const { definition, implementation } of handlers) {
    const methods: Record<string, MethodDefinition<unknown, unknown>> = {}
    const calls: Record<string, UntypedHandleCall> = {}
    for (const [key, method] of Object.entries(definition.methods)) {
      const path = pathOf(definition, method)
      const answer = answering(path, (implementation[key] as Answer).bind(implementation), options)
      methods[key] = definitionOf(path, method)
      calls[key] = handleCall(answer)
      if (!method.requestStream) shared.set(path, { method, answer })
    }
    server.addService(methods, calls)
  }
  server.addService({ carry: EXCHANGE }, { carry: serveExchange(shared) })
}

/**
 * Serves modules over gRPC at `host:port` (port 0: any) or `unix:/path`, a file that only its owner may access. Resolves to the port, a
 * `stop` with a grace period in milliseconds for running calls, and a function to call before it that makes callers reconnect: their
 * connections end once the calls on them have, they resolve the name again, and new callers are still answered.
 * @throws Error when the address is taken
 */
export const serve = async (
  handlers: readonly Handler[],
  address: string,
  options: ServeOptions = {},
): Promise<{ port: number; askToReconnect(graceMilliseconds?: number): void; stop(graceMilliseconds?: number): Promise<void> }> => {
  const interceptors = [refuseUnauthenticated(keyCheck(options.credentials))]
  const pings = { 'grpc.keepalive_time_ms': options.pingEvery ?? PING_EVERY }
  const server = new Server({ ...MESSAGE_LIMITS, ...CONNECTIONS, ...pings, interceptors })
  keepClosingSessions(server)
  addHandlers(server, handlers, options)
  server.addService(HEALTH.methods, HEALTH.calls)
  await claimSocket(address)
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(address, serverCredentials(options.credentials), (error, bound) => (error ? reject(error) : resolve(bound))),
  )
  protectSocket(address)
  return {
    port,
    askToReconnect: (graceMilliseconds = 5000) => server.drain(address.replace(/:0$/, `:${port}`), graceMilliseconds),
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
