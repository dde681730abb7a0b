import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Harness } from './harness.ts'
import { post } from './post.ts'
import { SPEAKER, STAR, tokenOf } from './seed.ts'
import type { Line } from './table.ts'

const TIMEOUT = 10_000
const AT_ONCE = 100
const ROUNDS = 8
/** How long a server may still be busy after streams were opened, in milliseconds. */
const SETTLING = 5000

/** A quantile of sorted values. */
export const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const openSocket = (url: string) =>
  new Promise<WebSocket>((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })

const openSockets = async ({ origin, sizes }: Harness, stream: string, count: number): Promise<WebSocket[]> => {
  const address = origin.replace(/^http/, 'ws')
  const sockets: WebSocket[] = []
  for (let start = 0; start < count; start += AT_ONCE) {
    const urls = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, index) => {
      const reader = sizes.people + 1 + start + index
      return `${address}/api/v1/streaming?stream=${stream}&access_token=${tokenOf(reader)}`
    })
    sockets.push(...(await Promise.all(urls.map(openSocket))))
  }
  return sockets
}

/** The median over rounds of each round's quantile. */
export const median = (rounds: readonly (readonly number[])[], part: number): number =>
  quantile(
    rounds.map((times) => quantile(times, part)).sort((a, b) => a - b),
    0.5,
  )

/** The milliseconds until each socket had the event, without those that never did. */
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

/** Measures posts of a speaker until each socket has the event, over several rounds; and counts missing events. */
const hearPosts = async ({ origin }: Harness, sockets: readonly WebSocket[], speaker: number) => {
  const rounds: number[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await hear(sockets, () => post(origin, tokenOf(speaker), `hear ${round}`)))
    await pause(200)
  }
  return { rounds, missing: rounds.reduce((sum, times) => sum + sockets.length - times.length, 0) }
}

const hangUp = async (sockets: readonly WebSocket[]) => {
  for (const socket of sockets) socket.terminate()
  await pause(500)
}

/**
 * Measures a post until all readers of a stream have the event: the median of several rounds after a warm-up, also for an author with many
 * other followers; and the memory per idle socket.
 */
export const measureReaders = async (harness: Harness, stream: string): Promise<Line[]> => {
  const { usage, sizes } = harness
  const before = usage().server.megabytes
  const sockets = await openSockets(harness, stream, sizes.readers)
  await pause(2000)
  const kilobytes = ((usage().server.megabytes - before) * 1024) / sockets.length
  const lines: Line[] = []
  for (const { speaker, followers } of [
    { speaker: SPEAKER, followers: sizes.readers },
    { speaker: STAR, followers: sizes.fans },
  ]) {
    // A warm-up, as for other lines: the first posts run code that is not compiled yet.
    await hearPosts(harness, sockets, speaker)
    const { rounds, missing } = await hearPosts(harness, sockets, speaker)
    lines.push({
      what: `a post to ${followers} followers until ${sockets.length} readers of ${stream} have it`,
      p50: median(rounds, 0.5),
      p99: median(rounds, 0.99),
      memory: `${kilobytes.toFixed(0)} KB an idle socket`,
      ...(missing ? { remark: `${missing} missing` } : {}),
    })
  }
  await hangUp(sockets)
  return lines
}

/**
 * Measures open streams of all fans of one person in one process: what they take, opened a hundred at a time, and a post until all have it.
 * @throws Error if this process may not open that many files
 */
export const measureSockets = async (harness: Harness): Promise<Line[]> => {
  const { usage, sizes } = harness
  const [before, begun] = [usage().server, performance.now()]
  const sockets = await openSockets(harness, 'user', sizes.fans)
  const seconds = (performance.now() - begun) / 1000
  const opened = usage().server
  await pause(SETTLING)
  const idle = usage().server
  const clients = process.cpuUsage()
  const { rounds, missing } = await hearPosts(harness, sockets, STAR)
  const [after, { user, system }] = [usage().server, process.cpuUsage(clients)]
  await hangUp(sockets)
  const each = (megabytes: number) => `${(((megabytes - before.megabytes) * 1024) / sockets.length).toFixed(1)} KB a socket`
  const what = `${sockets.length} sockets`
  return [
    {
      what: `${what} opened, ${AT_ONCE} at a time`,
      perSecond: `${(sockets.length / seconds).toFixed(0)}/s`,
      serverMicroseconds: ((opened.seconds - before.seconds) * 1e6) / sockets.length,
      remark: `${seconds.toFixed(1)} s`,
    },
    { what: `${what}, idle`, memory: `${idle.megabytes} MB, ${each(idle.megabytes)}` },
    {
      what: `a post until ${what} have it`,
      p50: median(rounds, 0.5),
      p99: median(rounds, 0.99),
      serverMicroseconds: ((after.seconds - idle.seconds) * 1e6) / ROUNDS,
      memory: `${after.megabytes} MB, ${each(after.megabytes)}`,
      remark: `${missing} missing; the clients take ${((user + system) / 1000 / ROUNDS).toFixed(0)} ms of processor time`,
    },
  ]
}
