import { type ClientDuplexStream, type Client as GrpcClient, type Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { AnswerFrames, type CallFrame, CallFrames } from '@rookery/contracts/common'
import { unavailable } from '@rookery/failures'
import { after, immediate } from '@rookery/handles'
import { failureOfDetail } from './codes.ts'
import type { Call } from './definition.ts'
import { bytesOf, EXCHANGE_PATH } from './wire.ts'

/** A stream that carries calls to one replica of a callee. */
export type Lane = {
  /** Sends a call; resolves to the bytes of its answer. @throws Failure of the callee; LostCall without an answer */
  send(call: Call, path: string, request: Buffer): Promise<Buffer>
  /** Whether it takes further calls. */
  isOpen(): boolean
  /** Takes no further calls, and ends once those under way have. */
  retire(): void
}

/** The error of an unanswered call. */
export type LostCall = Pick<ServiceError, 'code' | 'details'> & { readonly hasLeft: boolean }

const lostCall = ({ code, details }: Pick<ServiceError, 'code' | 'details'>, hasLeft: boolean): LostCall =>
  Object.assign(new Error(details), { code, details, hasLeft })

const ENDED = { code: status.UNAVAILABLE, details: 'the stream of calls ended' }

/** Maximum calls per message: the reader takes the next message when it has room for it. */
const MAX_TOGETHER = 100

type Waiting = { answer(bytes: Buffer): void; fail(error: unknown): void }

/** Outgoing frames: those of one turn of the event loop are sent together, once the callee has accepted the stream. */
const createOutgoing = (stream: ClientDuplexStream<CallFrames, AnswerFrames>, afterFlush: () => void) => {
  let unsent: CallFrame[] = []
  let isConnected = false
  let isFlushing = false
  const flush = () => {
    isFlushing = false
    for (let sent = 0; sent < unsent.length; sent += MAX_TOGETHER) stream.write({ frames: unsent.slice(sent, sent + MAX_TOGETHER) })
    unsent = []
    afterFlush()
  }
  const flushSoon = () => {
    if (!isConnected || isFlushing) return
    isFlushing = true
    immediate(flush, { onError: () => stream.cancel() })
  }
  return {
    connect() {
      isConnected = true
      flushSoon()
    },
    isConnected: () => isConnected,
    isEmpty: () => unsent.length === 0,
    push(frame: CallFrame) {
      unsent.push(frame)
      flushSoon()
    },
    /** Removes a call that was not sent yet. */
    takeBack(id: number): boolean {
      const waiting = unsent.length
      unsent = unsent.filter((frame) => frame.id !== id)
      return unsent.length < waiting
    },
    clear() {
      unsent = []
    },
  }
}

const goodbye = (id: number): CallFrame => ({ id, path: '', request: Buffer.alloc(0), milliseconds: 0, trace: '' })

/** Waits until a call is answered, its deadline passes, or its caller cancels it; `leave` is called in the last two cases. */
const untilAnswered = (call: Call, leave: () => void, begin: (waiting: Waiting) => void) =>
  new Promise<Buffer>((resolve, reject) => {
    const giveUp = (reason: string) => {
      leave()
      end(() => reject(unavailable(reason)))
    }
    const late = after(Math.max(0, call.deadline - Date.now()), () => giveUp('the deadline passed'), { onError: reject })
    const onAbort = () => giveUp('the caller has gone')
    const end = (finish: () => void) => {
      late.stop()
      call.signal.removeEventListener('abort', onAbort)
      finish()
    }
    call.signal.addEventListener('abort', onAbort, { once: true })
    begin({ answer: (bytes) => end(() => resolve(bytes)), fail: (error) => end(() => reject(error)) })
  })

/** The pending calls, by id. */
const createAsked = () => {
  const waiting = new Map<number, Waiting>()
  return {
    isEmpty: () => waiting.size === 0,
    add: (id: number, asked: Waiting) => void waiting.set(id, asked),
    forget: (id: number): boolean => waiting.delete(id),
    take({ frames }: AnswerFrames) {
      for (const { id, answer, failure } of frames) {
        const asked = waiting.get(id)
        waiting.delete(id)
        if (failure) asked?.fail(failureOfDetail(failure))
        else asked?.answer(answer)
      }
    },
    fail(error: unknown) {
      for (const { fail } of waiting.values()) fail(error)
      waiting.clear()
    },
  }
}

const openStream = (client: GrpcClient, metadata: Metadata) =>
  client.makeBidiStreamRequest<CallFrames, AnswerFrames>(
    EXCHANGE_PATH,
    (frames) => bytesOf(CallFrames.encode(frames)),
    (bytes) => AnswerFrames.decode(bytes),
    metadata,
  )

/** Opens a stream. No call is sent before the callee has accepted the stream, so that it is known which calls never left. */
export const openLane = (client: GrpcClient, metadata: Metadata): Lane => {
  const stream = openStream(client, metadata)
  const asked = createAsked()
  let lastId = 0
  let isOpen = true
  const endWhenDone = () => {
    if (!isOpen && asked.isEmpty() && outgoing.isEmpty()) stream.end()
  }
  const outgoing = createOutgoing(stream, endWhenDone)
  const lose = (error: Pick<ServiceError, 'code' | 'details'>) => {
    isOpen = false
    outgoing.clear()
    asked.fail(lostCall(error, outgoing.isConnected()))
  }
  const take = (answers: AnswerFrames) => {
    asked.take(answers)
    endWhenDone()
  }
  const leave = (id: number) => {
    if (!asked.forget(id)) return
    if (!outgoing.takeBack(id)) outgoing.push(goodbye(id))
    endWhenDone()
  }
  const end = () => lose(ENDED)
  stream.on('metadata', outgoing.connect).on('data', take).on('error', lose).on('end', end)
  return {
    isOpen: () => isOpen,
    retire() {
      isOpen = false
      endWhenDone()
    },
    send(call, path, request) {
      const id = ++lastId
      const begin = (waiting: Waiting) => {
        asked.add(id, waiting)
        const milliseconds = Math.max(0, Math.ceil(call.deadline - Date.now()))
        outgoing.push({ id, path, request, milliseconds, trace: call.trace, reservation: call.reservation })
      }
      return untilAnswered(call, () => leave(id), begin)
    },
  }
}
