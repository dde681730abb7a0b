import WebSocket from 'ws'
import { tokenOf } from './seed.ts'

/** Readers on a stream, and when each heard the event that was waited for. */
export type Readers = {
  open: number
  close(): void
  hear(begin: () => Promise<unknown>): Promise<{ p50: number; p99: number; missing: number }>
}

const PATIENCE = 10_000

const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

/** Opens one socket for each number. */
export const openReaders = async (origin: string, stream: string, numbers: readonly number[]): Promise<Readers> => {
  const url = origin.replace(/^http/, 'ws')
  const sockets: WebSocket[] = []
  for (let start = 0; start < numbers.length; start += 100) {
    const opening = numbers.slice(start, start + 100).map(
      (number) =>
        new Promise<void>((resolve, reject) => {
          const socket = new WebSocket(`${url}/api/v1/streaming?stream=${stream}&access_token=${tokenOf(number)}`, {
            perMessageDeflate: false,
          })
          socket.once('open', resolve)
          socket.once('error', reject)
          sockets.push(socket)
        }),
    )
    await Promise.all(opening)
  }
  return {
    open: sockets.length,
    close: () => {
      for (const socket of sockets) socket.terminate()
    },
    async hear(begin) {
      const times: number[] = []
      let startedAt = 0
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, PATIENCE)
        for (const socket of sockets) {
          socket.once('message', () => {
            times.push(performance.now() - startedAt)
            if (times.length < sockets.length) return
            clearTimeout(late)
            resolve()
          })
        }
        startedAt = performance.now()
        void begin()
      })
      times.sort((a, b) => a - b)
      return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), missing: sockets.length - times.length }
    },
  }
}
