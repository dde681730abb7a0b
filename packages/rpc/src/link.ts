import { asFailure, type Failure, unavailable } from '@rookery/failures'
import { after, soon, type Timer } from '@rookery/handles'
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
 * How calls reach a module of the same process. `wire` sends every message through its codec, so that tests prove both transports alike;
 * otherwise the answer is handed over as it is, because encoding a page twice costs more than reading it.
 */
type LinkOptions = { wire?: boolean; observe?: CallObserver; meter?: CallMeter; onFault?: FaultObserver }

const throughCodec = <Message>(codec: Codec<Message>, message: Message): Message => codec.decode(codec.encode(message).finish())

/** What begins to be watched when the turn of the event loop is over. */
let young: (() => void)[] = []

/** Has a call watched unless it is answered within this turn, as those from memory are: a timer and a listener cost more than such an answer. */
const watchSoon = (watch: () => void): void => {
  if (young.push(watch) > 1) return
  const watchAll = () => {
    const due = young
    young = []
    for (const begin of due) begin()
  }
  soon(watchAll, { onError: () => {} })
}

/** The answer, or `unavailable` when the deadline passes or the caller leaves first. */
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

/** Why the caller's own stream of requests failed, once it has. */
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

/** Runs a method on a stream of requests, and closes what of it was not read: it may hold a file open. */
const runOnStream = async (run: Run, call: Call, input: AsyncGenerator<unknown>) => {
  try {
    return await run(call, input)
  } finally {
    // The answer does not wait for it: the sender may be waiting for something itself.
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
    // The caller's own requests failed: no fault of the module's.
    if ('cause' in broken) return asFailure(broken.cause)
    const failure = asFailure(error)
    // What became a failure here is known nowhere else.
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
