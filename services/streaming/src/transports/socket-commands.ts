import type { Logger } from '@rookery/runtime'
import type { WebSocket } from 'ws'
import type { OpenChannels } from '../channels/open.ts'
import type { Connection } from '../channels/subscriber.ts'
import { commandOf } from './commands.ts'
import { type Fault, faultOf } from './faults.ts'
import { MAX_WAITING } from './limits.ts'
import type { createFrameSender, createPongSender } from './web-socket-connection.ts'

/** The state of a socket: its connection, whether it answered the last ping, the end of its queue of commands, and the queue's length. */
export type OpenSocket = { readonly connection: Connection; hasAnswered: boolean; turn: Promise<void>; waiting: number }

type Deps = {
  open: OpenChannels
  transmit: ReturnType<typeof createFrameSender>
  answerPing: ReturnType<typeof createPongSender>
  log: Logger
}

/** A close code (RFC 6455, 7.4.1). */
const UNSUPPORTED_DATA = 1003

/** The frame with the error of a command. */
export const faultFrame = ({ message, status }: Fault): string => JSON.stringify({ error: message, status })

/** Pings a client, or disconnects it if it missed the previous ping. */
export const pingOrDrop = (socket: WebSocket, opened: OpenSocket): void => {
  if (opened.hasAnswered) socket.ping()
  else socket.terminate()
  opened.hasAnswered = false
}

/** Runs the commands of sockets, each socket's in order: list access and presence take a while. */
export const createSocketCommands = ({ open, transmit, answerPing, log }: Deps) => {
  const attempt = async (socket: WebSocket, act: () => Promise<void> | void) => {
    try {
      await act()
    } catch (error) {
      const fault = faultOf(error)
      if (fault.status >= 500) log.error({ err: error }, 'WebSocket command failed')
      transmit(socket, faultFrame(fault))
    }
  }

  /** Reading pauses while the queue is full. */
  const enqueue = (socket: WebSocket, opened: OpenSocket, act: () => Promise<void> | void) => {
    if (++opened.waiting === MAX_WAITING) socket.pause()
    opened.turn = opened.turn.then(async () => {
      await attempt(socket, act)
      if (opened.waiting-- === MAX_WAITING) socket.resume()
    })
  }

  const obey = (socket: WebSocket, opened: OpenSocket, text: string) => {
    const command = commandOf(text)
    if (command) enqueue(socket, opened, () => open[command.type](opened.connection, command.request, command.since))
  }

  return {
    /** Starts to handle commands, pings and pongs. */
    listen(socket: WebSocket, opened: OpenSocket): void {
      socket.on('ping', (data) => enqueue(socket, opened, () => answerPing(socket, data)))
      socket.on('pong', () => {
        opened.hasAnswered = true
      })
      socket.on('message', (data, isBinary) => {
        if (isBinary) socket.close(UNSUPPORTED_DATA, 'only text is understood')
        else obey(socket, opened, data.toString())
      })
    },
  }
}
