import WebSocket from 'ws'

/** A received frame. */
export type Frame = { stream: string[]; event: string; payload?: string }

/** An open WebSocket that records its frames. */
export type Listener = {
  readonly frames: readonly Frame[]
  send(message: unknown): void
  /** Stops reading from the connection, and leaves it open. */
  stopReading(): void
  /** Resolves with a frame that matches, earlier ones included. */
  hears(fits: (frame: Frame) => boolean): Promise<Frame>
  /** Resolves with the code when the server closed it. */
  readonly closed: Promise<number>
  close(): Promise<void>
}

/** Opens a stream; resolves once the server accepted it. @throws Error with the status of a refusal */
export const listen = async (origin: string, query: Record<string, string>): Promise<Listener> => {
  const url = new URL(`/api/v1/streaming?${new URLSearchParams(query)}`, origin.replace(/^http/, 'ws'))
  const socket = new WebSocket(url)
  const frames: Frame[] = []
  const waiting = new Set<{ fits: (frame: Frame) => boolean; resolve(frame: Frame): void }>()
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame
    frames.push(frame)
    for (const each of waiting) {
      if (!each.fits(frame)) continue
      waiting.delete(each)
      each.resolve(frame)
    }
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_request, response) => reject(new Error(`refused with ${response.statusCode}`)))
    socket.once('error', reject)
  })
  return {
    frames,
    closed,
    send: (message) => socket.send(JSON.stringify(message)),
    stopReading: () => socket.pause(),
    hears(fits) {
      const heard = frames.find(fits)
      return heard ? Promise.resolve(heard) : new Promise((resolve) => waiting.add({ fits, resolve }))
    },
    async close() {
      socket.close()
      await closed
    },
  }
}
