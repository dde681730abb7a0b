import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { sendBadRequest } from './bad-request.ts'

/** Answers under way on a connection: more than any client asks for at once that does not wait for answers (RFC 9112, 9.3.2). */
const MAX_PIPELINED = 32

/** The connections of a server, and the answers under way on each. */
export const createConnections = () => {
  const open = new Map<Duplex, ServerResponse[]>()
  const released = new Set<Duplex>()
  let isStopping = false
  /** Whether part of an answer was sent, so that another would end up within it. */
  const isAnswering = (socket: Duplex) => open.get(socket)?.some(({ headersSent }) => headersSent) ?? false
  return {
    add(socket: Socket) {
      open.set(socket, [])
      // Node takes its own listener away when a connection is upgraded.
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        released.delete(socket)
      })
    },
    /** A connection that is no longer HTTP is its listener's to close. */
    release(socket: Duplex) {
      open.delete(socket)
      released.add(socket)
    },
    /** Ends those that their listeners closed too, and whose clients never read the end. */
    destroyReleased() {
      for (const socket of released) socket.destroy()
    },
    /** Whether so many requests wait for answers that the next is not taken: Node reads on, and runs all of them at once. */
    isFull: (socket: Socket) => (open.get(socket)?.length ?? 0) >= MAX_PIPELINED,
    begin(socket: Socket, response: ServerResponse) {
      const answers = open.get(socket) ?? []
      answers.push(response)
      response.once('close', () => {
        answers.splice(answers.indexOf(response), 1)
        if (answers.length === 0 && isStopping) socket.destroySoon()
      })
    },
    isAnswering,
    /** Answers 400 where no answer has begun, and closes. */
    refuse(socket: Duplex, reason: string) {
      if (isAnswering(socket)) socket.destroy()
      else sendBadRequest(socket, reason)
    },
    /** From now on connections end after their answers. */
    stop() {
      isStopping = true
    },
    destroyIdle() {
      for (const [socket, answers] of open) if (answers.length === 0) socket.destroy()
    },
  }
}
