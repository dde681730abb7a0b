import { Failure, type FailureKind } from '@rookery/failures'

/** The codec that ts-proto generates for a message. */
export type Codec<Message> = {
  encode(message: Message): { finish(): Uint8Array }
  decode(bytes: Uint8Array): Message
  fromPartial(partial: unknown): Message
}

/** The definition that ts-proto generates for a call. */
export type Method = {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: the messages are recovered by MessageOf
  readonly requestType: Codec<any>
  // biome-ignore lint/suspicious/noExplicitAny: the messages are recovered by MessageOf
  readonly responseType: Codec<any>
  readonly requestStream: boolean
  readonly responseStream: boolean
  readonly options: { readonly idempotencyLevel?: string }
}

/** The definition that ts-proto generates for a service. */
export type Definition = { readonly name: string; readonly fullName: string; readonly methods: { readonly [key: string]: Method } }

type MessageOf<C> = C extends { decode(...input: never[]): infer Message } ? Message : never

type Scalar = string | number | boolean | Uint8Array | undefined
/** A message with any field left out; the codec fills in proto3's defaults. */
export type Partially<T> = T extends Scalar
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Partially<Item>[]
    : T extends { $case: string }
      ? T
      : { [K in keyof T]?: Partially<T[K]> | undefined }

/** The context of a call: its deadline, the cancellation by its caller, and the id of the request behind it. */
export type Call = {
  /** Milliseconds since 1970. */
  readonly deadline: number
  readonly signal: AbortSignal
  readonly trace: string
  /** The reservation of the request's Idempotency-Key, if it has one; changes under it are made once (transactOnce). */
  readonly reservation?: string | undefined
}

/** The implementation of a service: one function per call. Throws Failure. */
export type Served<D extends Definition> = {
  [M in keyof D['methods']]: D['methods'][M] extends { requestStream: true }
    ? (
        call: Call,
        requests: AsyncIterable<MessageOf<D['methods'][M]['requestType']>>,
      ) => Promise<MessageOf<D['methods'][M]['responseType']>>
    : (call: Call, request: MessageOf<D['methods'][M]['requestType']>) => Promise<MessageOf<D['methods'][M]['responseType']>>
}

/** The client of a service, in process or remote. Fields left out of a request have proto3's defaults. Throws Failure. */
export type Client<D extends Definition> = {
  [M in keyof D['methods']]: D['methods'][M] extends { requestStream: true }
    ? (
        call: Call,
        requests: AsyncIterable<Partially<MessageOf<D['methods'][M]['requestType']>>>,
      ) => Promise<MessageOf<D['methods'][M]['responseType']>>
    : (call: Call, request: Partially<MessageOf<D['methods'][M]['requestType']>>) => Promise<MessageOf<D['methods'][M]['responseType']>>
}

/** A definition with its implementation. */
export type Handler = { readonly definition: Definition; readonly implementation: Record<string, unknown> }

/** Pairs an implementation with its definition; the types must match. */
export const handler = <D extends Definition>(definition: D, implementation: Served<D>): Handler => ({ definition, implementation })

/** A call with an empty answer. */
export const acknowledging =
  <Request>(act: (request: Request) => Promise<void>) =>
  async (_call: Call, request: Request): Promise<Record<string, never>> => {
    await act(request)
    return {}
  }

/** Called for each call made, for hop budgets. */
export type CallObserver = (path: string) => void

/** Called when a call is over, for metrics: its result, and its duration in seconds. */
export type CallMeter = (path: string, code: 'ok' | FailureKind, seconds: number) => void

/** Reports the end of a call to a meter. Errors become Failures. */
export const metered = async <Answer>(meter: CallMeter, path: string, run: () => Promise<Answer>): Promise<Answer> => {
  const begun = performance.now()
  let code: 'ok' | FailureKind = 'broken'
  try {
    const answer = await run()
    code = 'ok'
    return answer
  } catch (error) {
    if (error instanceof Failure) code = error.kind
    throw error
  } finally {
    meter(path, code, (performance.now() - begun) / 1000)
  }
}

/** The path of a call on the wire (gRPC over HTTP/2, Requests). */
export const pathOf = (definition: Definition, method: Method): string => `/${definition.fullName}/${method.name}`

/** Whether a call may be retried when it is unknown whether it arrived. */
export const isRepeatable = (method: Method): boolean =>
  method.options.idempotencyLevel === 'NO_SIDE_EFFECTS' || method.options.idempotencyLevel === 'IDEMPOTENT'
