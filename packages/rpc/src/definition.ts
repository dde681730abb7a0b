import { Failure, type FailureKind } from '@rookery/failures'

/** What ts-proto generates for a message: its codec. */
export type Codec<Message> = {
  encode(message: Message): { finish(): Uint8Array }
  decode(bytes: Uint8Array): Message
  fromPartial(partial: unknown): Message
}

/** What ts-proto generates for one call. */
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

/** What ts-proto generates for a service. */
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

/** What every call carries: its deadline, whether its caller still waits, and the id of the request behind it. */
export type Call = {
  /** Milliseconds since 1970. */
  readonly deadline: number
  readonly signal: AbortSignal
  readonly trace: string
  /** Of a request that may come again: the reservation of its Idempotency-Key. What it changes is changed once (transactOnce). */
  readonly reservation?: string | undefined
}

/** A service as its owner writes it: one function a call. Throws Failure. */
export type Served<D extends Definition> = {
  [M in keyof D['methods']]: D['methods'][M] extends { requestStream: true }
    ? (
        call: Call,
        requests: AsyncIterable<MessageOf<D['methods'][M]['requestType']>>,
      ) => Promise<MessageOf<D['methods'][M]['responseType']>>
    : (call: Call, request: MessageOf<D['methods'][M]['requestType']>) => Promise<MessageOf<D['methods'][M]['responseType']>>
}

/** A service as its callers see it, over a wire or not. Fields left out of a request have proto3's defaults. Throws Failure. */
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

/** Ties an implementation to its definition; the types must agree. */
export const handler = <D extends Definition>(definition: D, implementation: Served<D>): Handler => ({ definition, implementation })

/** A call without an answer: acts on its request, then says that it is done. */
export const acknowledging =
  <Request>(act: (request: Request) => Promise<void>) =>
  async (_call: Call, request: Request): Promise<Record<string, never>> => {
    await act(request)
    return {}
  }

/** What each call made reports, for budgets. */
export type CallObserver = (path: string) => void

/** What each call reports when it is over, for metrics: how it ended, and after how many seconds. */
export type CallMeter = (path: string, code: 'ok' | FailureKind, seconds: number) => void

/** Reports to a meter how a call ends. Its faults are Failures. */
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

/** The name of a call on the wire (gRPC over HTTP/2, Requests). */
export const pathOf = (definition: Definition, method: Method): string => `/${definition.fullName}/${method.name}`

/** Whether a call may be sent again when no one knows if it arrived. */
export const isRepeatable = (method: Method): boolean =>
  method.options.idempotencyLevel === 'NO_SIDE_EFFECTS' || method.options.idempotencyLevel === 'IDEMPOTENT'
