import { asFailure, unavailable } from '@rookery/failures'
import { after } from '@rookery/handles'
import {
  type Call,
  type CallMeter,
  type CallObserver,
  type Client,
  type Codec,
  type Definition,
  type Handler,
  metered,
  pathOf,
} from './definition.ts'
import type { FaultObserver } from './serve.ts'

/**
 * How calls reach a module of the same process. `wire` sends every message through its codec, so that tests prove both transports alike;
 * otherwise the answer is handed over as it is, because encoding a page twice costs more than reading it.
 */
export type LinkOptions = { wire?: boolean; observe?: CallObserver; meter?: CallMeter; onFault?: FaultObserver }

const throughCodec = <Message>(codec: Codec<Message>, message: Message): Message => codec.decode(codec.encode(message).finish())

/** The answer, or `unavailable` when the deadline passes or the caller leaves first. */
const withinDeadline = <Answer>(call: Call, answer: Promise<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const expire = () => end(() => reject(unavailable('the deadline passed')))
    const late = after(Math.max(0, call.deadline - Date.now()), expire, { onError: reject })
    const leave = () => end(() => reject(unavailable('the caller has gone')))
    const end = (finish: () => void) => {
      late.stop()
      call.signal.removeEventListener('abort', leave)
      finish()
    }
    call.signal.addEventListener('abort', leave, { once: true })
    answer.then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    )
  })

/** A client of a module in the same process: the same types, failures, deadlines and cancellation as a remote one. */
export const link = <D extends Definition>(definition: D, served: Handler, options: LinkOptions = {}): Client<D> => {
  const client: Record<string, unknown> = {}
  for (const [key, method] of Object.entries(definition.methods)) {
    const path = pathOf(definition, method)
    const run = (served.implementation[key] as (call: Call, request: unknown) => Promise<unknown>).bind(served.implementation)
    const accept = (request: unknown) => {
      const message = method.requestType.fromPartial(request)
      return options.wire ? throughCodec(method.requestType, message) : message
    }
    const acceptAll = async function* (requests: AsyncIterable<unknown>, broken: { cause?: unknown }) {
      try {
        for await (const request of requests) yield accept(request)
      } catch (cause) {
        broken.cause = cause
        throw cause
      }
    }
    /** Runs on a stream of requests, and closes what of it was not read: it may hold a file open. */
    const runOn = async (call: Call, requests: AsyncIterable<unknown>, broken: { cause?: unknown }) => {
      const input = acceptAll(requests, broken)
      try {
        return await run(call, input)
      } finally {
        // The answer does not wait for it: the sender may be waiting for something itself.
        void input.return().catch(() => {})
      }
    }
    const hand = async (call: Call, request: unknown) => {
      options.observe?.(path)
      if (call.signal.aborted) throw unavailable('the caller has gone')
      const broken: { cause?: unknown } = {}
      try {
        const answer = await withinDeadline(
          call,
          method.requestStream ? runOn(call, request as AsyncIterable<unknown>, broken) : run(call, accept(request)),
        )
        if ('cause' in broken) throw asFailure(broken.cause)
        return options.wire ? throughCodec(method.responseType, answer) : answer
      } catch (error) {
        // The caller's own requests failed: no fault of the module's.
        if ('cause' in broken) throw asFailure(broken.cause)
        const failure = asFailure(error)
        if (failure.kind === 'broken' && failure !== error) options.onFault?.(path, error)
        throw failure
      }
    }
    const { meter } = options
    client[key] = meter ? (call: Call, request: unknown) => metered(meter, path, () => hand(call, request)) : hand
  }
  return client as Client<D>
}
