import { WebSocket } from 'k6/websockets'
import { TARGET } from './settings.ts'

type Status = { id: string; content: string; account: { id: string } }
type Frame = { event: string; payload: string }

/** A stream of someone's home and notifications. */
export type Stream = { close(): void }

/** Waits. The virtual person's streams go on meanwhile. */
export const pause = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000))

const statusOf = (data: unknown): Status | undefined => {
  if (data === undefined) return undefined
  const frame = JSON.parse(String(data)) as Frame
  return frame.event === 'update' ? (JSON.parse(frame.payload) as Status) : undefined
}

/** Opens a stream; undefined when it was refused. Calls `hear` with each new post. */
export const openStream = (token: string, hear: (status: Status) => void = () => {}): Promise<Stream | undefined> =>
  new Promise((resolve) => {
    const url = `${TARGET.replace(/^http/, 'ws')}/api/v1/streaming?stream=user`
    const socket = new WebSocket(url, null, { headers: { Authorization: `Bearer ${token}` }, tags: { name: 'stream' } })
    socket.onopen = () => resolve(socket)
    socket.onerror = () => resolve(undefined)
    socket.onmessage = (message) => {
      const status = statusOf(message?.data)
      if (status) hear(status)
    }
  })
