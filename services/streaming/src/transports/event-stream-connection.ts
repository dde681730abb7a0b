import type { Response } from 'express'
import type { OpenChannels } from '../channels/open.ts'
import type { Connection, Person } from '../channels/subscriber.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import { mayReconnect, retryField } from './drain.ts'
import { ENDING_MILLISECONDS, MAX_BUFFERED } from './limits.ts'

/** Writes lines to event streams, and disconnects readers that are too slow. */
export const createLineWriter =
  (counts: Pick<StreamCounts, 'cut'>) => (response: Response, lines: Buffer | string, onSent?: () => void) => {
    if (response.writableEnded || response.destroyed) return
    if (response.writableLength <= MAX_BUFFERED) return void response.write(lines, onSent && ((error) => error ?? onSent()))
    counts.cut++
    response.destroy()
  }

type Deps = {
  open: Pick<OpenChannels, 'remove'>
  write: ReturnType<typeof createLineWriter>
  /** Whether events without a payload are sent: some programs stop at the word that stands for it. */
  sendsEmpty: boolean
  /** Whether the client reads further fields than events and their data: ids, and when to reconnect. */
  readsIds: boolean
}

/** A person's connection over a long-lived response. */
export const eventStreamConnection = (response: Response, person: Person, { open, write, sendsEmpty, readsIds }: Deps): Connection => {
  const connection: Connection = {
    person,
    send: (event, _label, onSent) => {
      if (event.hasPayload || sendsEmpty) write(response, event.lines(readsIds), onSent)
      else onSent?.()
    },
    together: (act) => {
      response.cork()
      act()
      response.uncork()
    },
    unsent: () => response.writableLength,
    end: (reason) => {
      open.remove(connection)
      if (response.writableEnded) return
      // Others take it for an event without a name.
      if (readsIds && mayReconnect(reason)) response.end(retryField())
      else response.end()
      response.socket?.setTimeout(ENDING_MILLISECONDS, () => response.destroy())
    },
  }
  return connection
}
