import type { Logger } from '@rookery/runtime'
import type { WebSocket } from 'ws'
import type { OpenChannels } from '../channels/open.ts'
import type { Connection } from '../channels/subscriber.ts'
import { commandOf } from './commands.ts'
import { type Fault, faultOf } from './faults.ts'
import { MAX_WAITING } from './limits.ts'
import type { createFrameSender } from './web-socket-connection.ts'

/** What a socket is, whether it has answered the last ping, the end of its queue of commands, and its length. */
export type OpenSocket = { readonly connection: Connection; hasAnswered: boolean; turn: Promise<void>; waiting: number }

type Deps = { open: OpenChannels; transmit: ReturnType<typeof createFrameSender>; log: Logger }

/** The frame that says why something was not done. */
export const faultFrame = ({ message, status }: Fault): string => JSON.stringify({ error: message, status })

/** What clients say over their sockets, done in turn: whose a list is, and presence, take a while. */
export const createSocketCommands = ({ open, transmit, log }: Deps) => {
  const attempt = async (socket: WebSocket, act: () => Promise<void> | void) => {
    try {
      await act()
    } catch (error) {
      const fault = faultOf(error)
      if (fault.status >= 500) log.error({ err: error }, 'WebSocket command failed')
      transmit(socket, faultFrame(fault))
    }
  }

  /** Nothing more is read while too much waits. */
  const enqueue = (socket: WebSocket, opened: OpenSocket, act: () => Promise<void> | void) => {
    if (++opened.waiting === MAX_WAITING) socket.pause()
    opened.turn = opened.turn.then(async () => {
      await attempt(socket, act)
      if (opened.waiting-- === MAX_WAITING) socket.resume()
    })
  }

  return {
    enqueue,
    hear(socket: WebSocket, opened: OpenSocket, text: string): void {
      const command = commandOf(text)
      if (command) enqueue(socket, opened, () => open[command.type](opened.connection, command.request, command.since))
    },
  }
}
