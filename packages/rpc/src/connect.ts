import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Channel, type ClientWritableStream, Client as GrpcClient, Metadata, type ServiceError } from '@grpc/grpc-js'
import { asFailure, unavailable } from '@rookery/failures'
import { fromWire, isUnanswered } from './codes.ts'
import { CONNECT_TIMEOUT, patchConnecting } from './connecting.ts'
import { callerCredentials, type RpcCredentials, withKey } from './credentials.ts'
import { type Call, type CallMeter, type Client, type Definition, isRepeatable, type Method, metered, pathOf } from './definition.ts'
import { createExchange, type Exchange, isExchangeUnknown } from './exchange.ts'
import type { LostCall } from './exchange-lane.ts'
import { checkHealth } from './health-check.ts'
import { bytesOf, MESSAGE_LIMITS } from './wire.ts'

/** Pauses between retries of a call, in milliseconds: together long enough to find the replicas that replace the known ones. */
const REPEAT_AFTER = [50, 200, 500, 1000, 1500]

/** grpc-js's text for a call that never left this process. Any call may be retried then, whatever its side effects. */
const NEVER_LEFT = /\b(?:No connection established|Name resolution failed)\b/

/** Whether a call went unanswered and may be retried; a call that this side cancelled is not. */
const mayRepeat = ({ code, details = '', metadata, hasLeft }: Partial<ServiceError & LostCall>, method: Method): boolean => {
  if (code === undefined || !isUnanswered({ code, details }) || metadata?.get('failure-bin').length) return false
  return isRepeatable(method) || hasLeft === false || NEVER_LEFT.test(details)
}

/** A connection to one address, shared by the clients of all services there. */
export type Connection = {
  readonly client: GrpcClient
  readonly exchange: Exchange
  readonly meter: CallMeter | undefined
  readonly credentials: RpcCredentials | undefined
  /** Checks whether the address answers calls; the reason if not, or undefined. Takes two seconds at most. */
  fault(): Promise<string | undefined>
  close(): void
}

/** Calls are balanced over all addresses of a name. */
const EVERY_REPLICA = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] })

/** The flow-control window for answers, in bytes. With HTTP/2's 64 KiB a long page waits for its reader twice (RFC 9113, 5.2). */
const WINDOW_BYTES = 1024 * 1024

/** Timeouts in milliseconds. A silent callee is noticed after `pingEvery` and `pingTimeout`, together below the deadline of every call. */
type Timeouts = {
  /** A connection idle for this long is pinged, even without calls. */
  readonly pingEvery: number
  /** Without a pong for this long it is closed: its calls fail, and the next ones go to other replicas. */
  readonly pingTimeout: number
  /** Timeout of a new connection until its first bytes. */
  readonly connect: number
}
const TIMEOUT: Timeouts = { pingEvery: 1000, pingTimeout: 3500, connect: 2000 }
/** For a callee whose child processes may starve it for seconds: the processing of pictures. Its calls have a deadline of 15 seconds. */
export const PATIENT: Timeouts = { ...TIMEOUT, pingTimeout: 9000 }

/**
 * Opens a connection to `host:port`, `dns:///host:port` with several addresses, `ipv4:a:port,b:port` or `unix:/path`. It connects on first
 * use, and reconnects whenever it was lost.
 */
export const openConnection = (
  address: string,
  options: { meter?: CallMeter; credentials?: RpcCredentials; timeouts?: Timeouts } = {},
): Connection => {
  const { credentials, timeouts = TIMEOUT } = options
  patchConnecting()
  const channelOptions = {
    ...MESSAGE_LIMITS,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.min_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
    'grpc.keepalive_time_ms': timeouts.pingEvery,
    'grpc.keepalive_timeout_ms': timeouts.pingTimeout,
    'grpc.keepalive_permit_without_calls': 1,
    [CONNECT_TIMEOUT]: timeouts.connect,
    'grpc.enable_http_proxy': 0,
    'grpc-node.flow_control_window': WINDOW_BYTES,
    // Replicas that are gone are noticed by their connections; new ones by resolving again, seconds later at most.
    'grpc.dns_min_time_between_resolutions_ms': 2000,
    'grpc.service_config': EVERY_REPLICA,
  }
  const channel = new Channel(address, callerCredentials(credentials), channelOptions)
  const client = new GrpcClient(address, callerCredentials(undefined), { channelOverride: channel })
  const greeting = () => withKey(new Metadata(), credentials)
  const exchange = createExchange(client, greeting)
  return {
    client,
    exchange,
    meter: options.meter,
    credentials,
    fault: () => checkHealth(client, greeting()),
    close() {
      exchange.close()
      client.close()
    },
  }
}

const metadataOf = (call: Call, credentials: RpcCredentials | undefined) => {
  const metadata = new Metadata()
  if (call.trace) metadata.set('trace', call.trace)
  if (call.reservation) metadata.set('reservation', call.reservation)
  return withKey(metadata, credentials)
}

const serializer = (method: Method) => (message: unknown) => bytesOf(method.requestType.encode(message))
const asTheyAre = (bytes: Buffer) => bytes

/** Runs one call on the wire; `begin` gets the callback, and returns the cancellable call. */
const send = (call: Call, begin: (done: (error: ServiceError | null, answer?: unknown) => void) => { cancel(): void }) =>
  new Promise<unknown>((resolve, reject) => {
    if (call.signal.aborted) return reject(unavailable('the caller has gone'))
    const cancel = () => running.cancel()
    const running = begin((error, answer) => {
      call.signal.removeEventListener('abort', cancel)
      if (error) reject(error)
      else resolve(answer)
    })
    call.signal.addEventListener('abort', cancel, { once: true })
  })

/** A regular gRPC call, with an HTTP/2 stream of its own. */
const sendAlone = ({ client, credentials }: Connection, path: string, call: Call, request: Buffer) =>
  send(call, (done) =>
    client.makeUnaryRequest(path, asTheyAre, asTheyAre, request, metadataOf(call, credentials), { deadline: call.deadline }, done),
  ) as Promise<Buffer>

/** A call over a shared stream, if the callee supports that and the request is short. */
const sendOnce = async (connection: Connection, path: string, call: Call, request: Buffer): Promise<Buffer> => {
  const { exchange } = connection
  if (call.signal.aborted) throw unavailable('the caller has gone')
  if (!exchange.carries(request)) return sendAlone(connection, path, call, request)
  try {
    return await exchange.send(call, path, request)
  } catch (error) {
    if (isExchangeUnknown(error)) return sendAlone(connection, path, call, request)
    throw error
  }
}

const unary = async (connection: Connection, path: string, method: Method, call: Call, request: unknown) => {
  const bytes = serializer(method)(method.requestType.fromPartial(request))
  for (let attempt = 0; ; attempt++) {
    try {
      return method.responseType.decode(await sendOnce(connection, path, call, bytes))
    } catch (error) {
      const wait = REPEAT_AFTER[attempt]
      const isLast = wait === undefined || Date.now() + wait >= call.deadline || call.signal.aborted
      if (isLast || !mayRepeat(error as ServiceError, method)) throw error
      await pause(wait)
    }
  }
}

/** Sends the requests one after the other, until the call is over. @throws what the requests throw */
const write = async (stream: ClientWritableStream<unknown>, method: Method, requests: AsyncIterable<unknown>, over: AbortSignal) => {
  for await (const request of requests) {
    if (over.aborted) return
    if (!stream.write(method.requestType.fromPartial(request))) await once(stream, 'drain', { signal: over })
  }
  stream.end()
}

const streamed = async (connection: Connection, path: string, method: Method, call: Call, requests: AsyncIterable<unknown>) => {
  const over = new AbortController()
  const broken: { cause?: unknown } = {}
  try {
    return await send(call, (done) => {
      const decode = (bytes: Buffer) => method.responseType.decode(bytes)
      const options = { deadline: call.deadline }
      const stream = connection.client.makeClientStreamRequest(
        path,
        serializer(method),
        decode,
        metadataOf(call, connection.credentials),
        options,
        done,
      )
      write(stream, method, requests, over.signal).catch((cause) => {
        if (over.signal.aborted) return
        broken.cause = cause
        stream.cancel()
      })
      return stream
    })
  } catch (error) {
    // The caller's own requests failed: it needs that error, not that of the cancelled call.
    throw 'cause' in broken ? asFailure(broken.cause) : error
  } finally {
    over.abort()
  }
}

/** A client of a service in another process. Its calls throw Failure; unanswered calls that are marked as safe are retried. */
export const connect = <D extends Definition>(definition: D, connection: Connection): Client<D> => {
  const client: Record<string, unknown> = {}
  for (const [key, method] of Object.entries(definition.methods)) {
    const path = pathOf(definition, method)
    const { meter } = connection
    const send = async (call: Call, request: unknown) => {
      try {
        return method.requestStream
          ? await streamed(connection, path, method, call, request as AsyncIterable<unknown>)
          : await unary(connection, path, method, call, request)
      } catch (error) {
        throw typeof (error as ServiceError).code === 'number' ? fromWire(error as ServiceError) : error
      }
    }
    client[key] = meter ? (call: Call, request: unknown) => metered(meter, path, () => send(call, request)) : send
  }
  return client as Client<D>
}
