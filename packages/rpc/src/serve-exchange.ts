import { Metadata, type MethodDefinition, type ServerDuplexStream } from '@grpc/grpc-js'
import { type AnswerFrame, AnswerFrames, type CallFrame, CallFrames } from '@rookery/contracts/common'
import { asFailure, type Failure, unavailable } from '@rookery/failures'
import { immediate } from '@rookery/handles'
import { detailOf } from './codes.ts'
import type { Call, Method } from './definition.ts'
import { bytesOf, EXCHANGE_PATH, MAX_MESSAGE_BYTES } from './wire.ts'

/** A call that may come over a shared stream: its codecs, and its implementation, which throws Failure. */
export type Shared = { readonly method: Method; answer(call: Call, request: unknown): Promise<unknown> }

/** Maximum bytes of answers per message, except for a single answer that is larger. */
const BUNDLE_BYTES = 256 * 1024
/** Maximum overhead of a message per answer, in bytes. */
const OVERHEAD_BYTES = 1024
/** Maximum concurrent calls of one stream; beyond it no further messages are read. */
export const MAX_UNDER_WAY = 1000

/** The definition of the shared stream, for grpc-js. */
export const EXCHANGE: MethodDefinition<CallFrames, AnswerFrames> = {
  path: EXCHANGE_PATH,
  requestStream: true,
  responseStream: true,
  requestSerialize: (frames) => bytesOf(CallFrames.encode(frames)),
  requestDeserialize: (bytes) => CallFrames.decode(bytes),
  responseSerialize: (frames) => bytesOf(AnswerFrames.encode(frames)),
  responseDeserialize: (bytes) => AnswerFrames.decode(bytes),
}

const failed = (id: number, failure: Failure): AnswerFrame => ({ id, answer: Buffer.alloc(0), failure: detailOf(failure) })

/** The answer to one call. Never rejects. */
const answerTo = async (shared: Shared | undefined, call: Call, { id, request }: CallFrame): Promise<AnswerFrame> => {
  // A call that is unknown here is one of a newer caller.
  if (!shared) return failed(id, unavailable())
  const { method } = shared
  try {
    const answer = bytesOf(method.responseType.encode(await shared.answer(call, method.requestType.decode(request))))
    const isTooLarge = answer.byteLength > MAX_MESSAGE_BYTES - OVERHEAD_BYTES
    return isTooLarge ? failed(id, unavailable('an answer is too large')) : { id, answer }
  } catch (error) {
    return failed(id, asFailure(error))
  }
}

/** Splits frames into messages of a bounded size. */
const bundlesOf = (frames: readonly AnswerFrame[]): AnswerFrame[][] => {
  const bundles: AnswerFrame[][] = []
  let room = 0
  for (const frame of frames) {
    room -= frame.answer.byteLength
    if (bundles.length === 0 || room < 0) {
      bundles.push([])
      room = BUNDLE_BYTES - frame.answer.byteLength
    }
    bundles.at(-1)!.push(frame)
  }
  return bundles
}

/** Outgoing answers: those that are ready within one turn of the event loop are sent together. */
const createOutgoing = (wire: ServerDuplexStream<CallFrames, AnswerFrames>, afterFlush: () => void) => {
  let unsent: AnswerFrame[] = []
  const flush = () => {
    const frames = unsent
    unsent = []
    if (!wire.cancelled) for (const bundle of bundlesOf(frames)) wire.write({ frames: bundle })
    afterFlush()
  }
  return {
    isEmpty: () => unsent.length === 0,
    push(frame: AnswerFrame) {
      if (unsent.length === 0) immediate(flush, { onError: () => wire.destroy() })
      unsent.push(frame)
    },
  }
}

const callOf = ({ milliseconds, trace, reservation }: CallFrame, signal: AbortSignal): Call => ({
  deadline: Date.now() + milliseconds,
  signal,
  trace,
  reservation,
})

/** Answers the calls of a shared stream, by their paths. */
export const serveExchange =
  (sharedAt: ReadonlyMap<string, Shared>) =>
  (wire: ServerDuplexStream<CallFrames, AnswerFrames>): void => {
    const underWay = new Map<number, AbortController>()
    let isEnded = false
    const endWhenDone = () => {
      if (isEnded && underWay.size === 0 && outgoing.isEmpty()) wire.end()
    }
    const outgoing = createOutgoing(wire, endWhenDone)
    const begin = async (frame: CallFrame) => {
      const gone = new AbortController()
      underWay.set(frame.id, gone)
      const answered = await answerTo(sharedAt.get(frame.path), callOf(frame, gone.signal), frame)
      if (underWay.size === MAX_UNDER_WAY) wire.resume()
      underWay.delete(frame.id)
      // A caller that disconnected is not answered.
      if (gone.signal.aborted) endWhenDone()
      else outgoing.push(answered)
    }
    const take = ({ frames }: CallFrames) => {
      for (const frame of frames) {
        if (frame.path === '') underWay.get(frame.id)?.abort()
        else void begin(frame)
      }
      if (underWay.size >= MAX_UNDER_WAY) wire.pause()
    }
    const abandon = () => {
      for (const gone of underWay.values()) gone.abort()
    }
    wire
      .on('data', take)
      .on('cancelled', abandon)
      .on('end', () => {
        isEnded = true
        endWhenDone()
      })
      .on('error', () => {})
    // Callers send nothing before this.
    wire.sendMetadata(new Metadata())
  }
