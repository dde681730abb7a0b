import type { IncomingMessage, ServerResponse } from 'node:http'

/** Limits for slow bodies. */
export type BodyPace = {
  /** Idle timeout, in milliseconds. */
  readonly silence: number
  /** Minimum average bytes per second, once a body has taken longer than the idle timeout. */
  readonly bytesPerSecond: number
  /** How long the rest of a body may take once its request is answered, in milliseconds. */
  readonly afterAnswer: number
}

type Watched = {
  response: ServerResponse
  startedAt: number
  bytesBefore: number
  bytes: number
  lastByteAt: number
  answeredAt: number | undefined
}

/** Tracks bodies that have not fully arrived. */
type SlowBodies = {
  add(request: IncomingMessage, response: ServerResponse): void
  /** Requests whose bodies exceed a limit; each is returned once. */
  late(pace: BodyPace): { request: IncomingMessage; isAnswered: boolean }[]
}

const isLate = (body: Watched, { silence, bytesPerSecond, afterAnswer }: BodyPace, now: number): boolean => {
  if (body.answeredAt !== undefined && now - body.answeredAt > afterAnswer) return true
  const earned = ((body.bytes - body.bytesBefore) / bytesPerSecond) * 1000
  return now - body.lastByteAt > silence || now - body.startedAt > silence + earned
}

/** Measures bodies by the bytes of their connections. Time in which the server itself does not read does not count. */
export const watchBodies = (): SlowBodies => {
  let watched = new Map<IncomingMessage, Watched>()

  const look = (request: IncomingMessage, body: Watched, now: number) => {
    const { bytesRead } = request.socket
    const isOurTurn = request.readableLength > 0 && !body.response.writableFinished
    if (isOurTurn) body.startedAt += now - body.lastByteAt
    if (bytesRead !== body.bytes || isOurTurn) body.lastByteAt = now
    body.bytes = bytesRead
    if (body.response.writableFinished) body.answeredAt ??= now
  }
  return {
    add(request, response) {
      const now = performance.now()
      const { bytesRead } = request.socket
      watched.set(request, { response, startedAt: now, bytesBefore: bytesRead, bytes: bytesRead, lastByteAt: now, answeredAt: undefined })
    },
    late(pace) {
      const now = performance.now()
      const late: { request: IncomingMessage; isAnswered: boolean }[] = []
      // A new map instead of deletions: V8 links a map's tables, and the old ones would keep finished requests alive (PassingMap of
      // packages/batching).
      const left = new Map<IncomingMessage, Watched>()
      for (const [request, body] of watched) {
        look(request, body, now)
        if (request.complete || request.socket.destroyed) continue
        if (isLate(body, pace, now)) late.push({ request, isAnswered: body.answeredAt !== undefined })
        else left.set(request, body)
      }
      watched = left
      return late
    },
  }
}
