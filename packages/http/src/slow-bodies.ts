import type { IncomingMessage, ServerResponse } from 'node:http'

/** Bounds of a body that comes in slowly. */
export type BodyPace = {
  /** Milliseconds without a byte. */
  readonly silence: number
  /** Bytes a second that a body makes on average, once it has taken as long as it may be silent. */
  readonly bytesPerSecond: number
  /** Milliseconds that what is left of a body may take once its request is answered. */
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

/** Watches bodies that are not whole yet. */
type SlowBodies = {
  add(request: IncomingMessage, response: ServerResponse): void
  /** Requests whose bodies come in more slowly than they may; each is named once. */
  late(pace: BodyPace): { request: IncomingMessage; isAnswered: boolean }[]
}

const isLate = (body: Watched, { silence, bytesPerSecond, afterAnswer }: BodyPace, now: number): boolean => {
  if (body.answeredAt !== undefined && now - body.answeredAt > afterAnswer) return true
  const earned = ((body.bytes - body.bytesBefore) / bytesPerSecond) * 1000
  return now - body.lastByteAt > silence || now - body.startedAt > silence + earned
}

/** Watches bodies by the bytes of their connections. Time in which the server itself does not read does not count. */
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
      // Another map, and not this one without them: V8 links a map's tables, and the old ones would keep requests that are over (PassingMap of packages/batching).
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
