import { asFailure, type Failure, unavailable } from '@rookery/failures'
import { after, immediate, type Timer } from '@rookery/handles'
import {
  type Call,
  type CallMeter,
  type CallObserver,
  type Client,
  type Codec,
  type Definition,
  type Handler,
  type Method,
  metered,
  pathOf,
} from './definition.ts'
import type { FaultObserver } from './serve.ts'

/**
 * Options of calls to a module in the same process. `wire` passes every message through its codec, so that tests cover both transports
 * alike; otherwise the answer is passed as an object, because encoding a page twice costs more than reading it.
 */
type LinkOptions = { wire?: boolean; observe?: CallObserver; meter?: CallMeter; onFault?: FaultObserver }

const throughCodec = <Message>(codec: Codec<Message>, message: Message): Message => codec.decode(codec.encode(message).finish())

/** Calls to be watched after the current turn of the event loop. */
let young: (() => void)[] = []

/** Watches a call unless it is answered within this turn, as from a cache: a timer and a listener cost more than such an answer. */
const watchSoon = (watch: () => void): void => {
  if (young.push(watch) > 1) return
  const watchAll = () => {
    const due = young
    young = []
    for (const begin of due) begin()
  }
  immediate(watchAll, { onError: () => {} })
}

/** The answer, or `unavailable` when the deadline passes or the caller cancels first. */
const withinDeadline = <Answer>(call: Call, answer: Promise<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let isOver = false
    let late: Timer | undefined
    const end = () => {
      isOver = true
      if (!late) return
      late.stop()
      call.signal.removeEventListener('abort', leave)
    }
    const fail = (reason: string) => {
      end()
      reject(unavailable(reason))
    }
    const leave = () => fail('the caller has gone')
    const watch = () => {
      if (isOver) return
      if (call.signal.aborted) return leave()
      late = after(Math.max(0, call.deadline - Date.now()), () => fail('the deadline passed'), { onError: reject })
      call.signal.addEventListener('abort', leave, { once: true })
    }
    watchSoon(watch)
    answer.then(
      (value) => {
        end()
        resolve(value)
      },
      (error) => {
        end()
        reject(error)
      },
    )
  })

/** The error of the caller's own stream of requests, once it has failed. */
type Broken = { cause?: unknown }

/** The requests of a stream as the module reads them. */
async function* acceptAll(requests: AsyncIterable<unknown>, accept: (request: unknown) => unknown, broken: Broken) {
  try {
    for await (const request of requests) yield accept(request)
  } catch (cause) {
    broken.cause = cause
    throw cause
  }
}

type Run = (call: Call, request: unknown) => Promise<unknown>

/** Runs a method on a stream of requests, and closes the rest of the stream: it may hold a file open. */
const runOnStream = async (run: Run, call: Call, input: AsyncGenerator<unknown>) => {
  try {
    return await run(call, input)
  } finally {
    // The answer does not wait for it: the sender may itself be waiting.
    void input.return(undefined).catch(() => {})
  }
}

/** One method of a module, as a client calls it. */
const linkMethod = (path: string, { method, run }: { method: Method; run: Run }, options: LinkOptions): Run => {
  const { wire = false, observe, onFault } = options
  const accept = (request: unknown) => {
    const message = method.requestType.fromPartial(request)
    return wire ? throughCodec(method.requestType, message) : message
  }
  const answerOf = async (call: Call, request: unknown, broken: Broken) => {
    const answer = method.requestStream
      ? runOnStream(run, call, acceptAll(request as AsyncIterable<unknown>, accept, broken))
      : run(call, accept(request))
    return await withinDeadline(call, answer)
  }
  const failureOf = (error: unknown, broken: Broken): Failure => {
    // The caller's own requests failed, which is not a fault of the module.
    if ('cause' in broken) return asFailure(broken.cause)
    const failure = asFailure(error)
    // An error that became a failure here was not reported elsewhere.
    if (failure !== error) onFault?.(path, error)
    return failure
  }
  return async (call, request) => {
    observe?.(path)
    if (call.signal.aborted) throw unavailable('the caller has gone')
    const broken: Broken = {}
    try {
      const answer = await answerOf(call, request, broken)
      if ('cause' in broken) throw broken.cause
      return wire ? throughCodec(method.responseType, answer) : answer
    } catch (error) {
      throw failureOf(error, broken)
    }
  }
}

/** A client of a module in the same process: the same types, failures, deadlines and cancellation as a remote one. */
export const link = <D extends Definition>(definition: D, served: Handler, options: LinkOptions = {}): Client<D> => {
  const client: Record<string, unknown> = {}
  for (const [key, method] of Object.entries(definition.methods)) {
    const path = pathOf(definition, method)
    const run = (served.implementation[key] as Run).bind(served.implementation)
    const send = linkMethod(path, { method, run }, options)
    const { meter } = options
    client[key] = meter ? (call: Call, request: unknown) => metered(meter, path, () => send(call, request)) : send
  }
  return client as Client<D>
}
