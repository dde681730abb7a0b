import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Harness } from './harness.ts'
import { post } from './post.ts'
import { SPEAKER, tokenOf } from './seed.ts'
import type { Sizes } from './sizes.ts'
import type { Line } from './table.ts'

const TIMEOUT = 10_000
const AT_ONCE = 100
const ROUNDS = 8

/** A part of sorted values, from 0 to 1. */
export const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const openSocket = (url: string) =>
  new Promise<WebSocket>((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })

const openSockets = async (origin: string, stream: string, sizes: Sizes): Promise<WebSocket[]> => {
  const address = origin.replace(/^http/, 'ws')
  const sockets: WebSocket[] = []
  for (let start = 0; start < sizes.readers; start += AT_ONCE) {
    const urls = Array.from({ length: Math.min(AT_ONCE, sizes.readers - start) }, (_, index) => {
      const reader = sizes.people + 1 + start + index
      return `${address}/api/v1/streaming?stream=${stream}&access_token=${tokenOf(reader)}`
    })
    sockets.push(...(await Promise.all(urls.map(openSocket))))
  }
  return sockets
}

/** The median over rounds of a part of each. */
export const median = (rounds: readonly (readonly number[])[], part: number): number =>
  quantile(
    rounds.map((times) => quantile(times, part)).sort((a, b) => a - b),
    0.5,
  )

/** Milliseconds after which each socket had the event; those that never had it are missing. */
export const hear = async (sockets: readonly WebSocket[], begin: () => Promise<unknown>): Promise<number[]> => {
  const times: number[] = []
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, TIMEOUT)
    const startedAt = performance.now()
    for (const socket of sockets) {
      socket.once('message', () => {
        times.push(performance.now() - startedAt)
        if (times.length < sockets.length) return
        clearTimeout(late)
        resolve()
      })
    }
    void begin()
  })
  return times.sort((a, b) => a - b)
}

/** A post until all readers of a stream have the event; the median of several rounds. And what an idle socket holds. */
export const measureReaders = async ({ origin, usage, sizes }: Harness, stream: string): Promise<Line> => {
  const before = usage().server.megabytes
  const sockets = await openSockets(origin, stream, sizes)
  await pause(2000)
  const kilobytes = ((usage().server.megabytes - before) * 1024) / sockets.length
  const rounds: number[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await hear(sockets, () => post(origin, tokenOf(SPEAKER), `hear ${round}`)))
    await pause(200)
  }
  for (const socket of sockets) socket.terminate()
  await pause(500)
  const missing = rounds.reduce((sum, times) => sum + sockets.length - times.length, 0)
  return {
    what: `a post until ${sockets.length} readers of ${stream} have it`,
    p50: median(rounds, 0.5),
    p99: median(rounds, 0.99),
    memory: `${kilobytes.toFixed(0)} KB an idle socket`,
    ...(missing ? { remark: `${missing} missing` } : {}),
  }
}
