import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { sendBadRequest } from './bad-request.ts'

/** Maximum pipelined requests per connection: more than any client sends without waiting for answers (RFC 9112, 9.3.2). */
const MAX_PIPELINED = 32

/** The connections of a server, and the unfinished answers on each. */
export const createConnections = () => {
  const open = new Map<Duplex, ServerResponse[]>()
  const released = new Set<Duplex>()
  let isStopping = false
  /** Whether an answer is partly sent, so that another one would end up inside it. */
  const isAnswering = (socket: Duplex) => open.get(socket)?.some(({ headersSent }) => headersSent) ?? false
  return {
    add(socket: Socket) {
      open.set(socket, [])
      // Node removes its own error listener when a connection is upgraded.
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        released.delete(socket)
      })
    },
    /** Hands a connection that is no longer HTTP to its listener, which closes it. */
    release(socket: Duplex) {
      open.delete(socket)
      released.add(socket)
    },
    /** Destroys upgraded connections that are still open after their listeners closed them. */
    destroyReleased() {
      for (const socket of released) socket.destroy()
    },
    /**
     * Whether the connection has so many unanswered requests that the next is refused: Node would keep parsing and run all of them
     * concurrently.
     */
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
    /** Answers 400 unless an answer has begun, and closes the connection. */
    refuse(socket: Duplex, reason: string) {
      if (isAnswering(socket)) socket.destroy()
      else sendBadRequest(socket, reason)
    },
    /** From now on, connections close after their answers. */
    stop() {
      isStopping = true
    },
    destroyIdle() {
      for (const [socket, answers] of open) if (answers.length === 0) socket.destroy()
    },
  }
}
