import { WebSocket } from 'k6/websockets'
import { TARGET } from './settings.ts'

type Status = { id: string; content: string; account: { id: string } }
type Frame = { event: string; payload: string; id: string }

/** A stream of someone's home and notifications. */
export type Stream = {
  close(): void /** The last event that came: a stream that is opened since then goes on behind it. */
  lastId(): string
}

/** Waits. The virtual person's streams go on meanwhile. */
export const pause = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000))

const statusOf = ({ event, payload }: Frame): Status | undefined => (event === 'update' ? (JSON.parse(payload) as Status) : undefined)

/**
 * Opens a stream that goes on after the event `since`; undefined when it was refused. With no event yet it gets one that says where it is.
 * Calls `hear` with each new post.
 */
export const openStream = (
  token: string,
  { since = '', hear = () => {} }: { since?: string; hear?: (status: Status) => void } = {},
): Promise<Stream | undefined> =>
  new Promise((resolve) => {
    const url = `${TARGET.replace(/^http/, 'ws')}/api/v1/streaming?stream=user&since=${since}`
    const socket = new WebSocket(url, null, { headers: { Authorization: `Bearer ${token}` }, tags: { name: 'stream' } })
    let lastId = since
    socket.onopen = () => resolve({ close: () => socket.close(), lastId: () => lastId })
    socket.onerror = () => resolve(undefined)
    socket.onmessage = (message) => {
      if (message?.data === undefined) return
      const frame = JSON.parse(String(message.data)) as Frame
      lastId = frame.id
      const status = statusOf(frame)
      if (status) hear(status)
    }
  })
