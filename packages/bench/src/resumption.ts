import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import WebSocket from 'ws'
import type { Harness } from './harness.ts'
import { post } from './post.ts'
import { SPEAKER, tokenOf, viewers } from './seed.ts'
import { hear, median, quantile } from './streams.ts'
import type { Line } from './table.ts'

/** The number of missed events per reader, and the timeout in milliseconds. */
const MISSED = 20
const TIMEOUT = 30_000
const ROUNDS = 5

type Frame = { event: string; id: string }
type Reader = { socket: WebSocket; lastId: string; events: number }

/** Opens the stream of a reader, after a position if given; resolves when it is open. */
const open = (origin: string, person: number, since: string | undefined, hear: (reader: Reader) => void): Promise<Reader> =>
  new Promise((resolve, reject) => {
    const position = since === undefined ? '' : `&since=${since}`
    const token = tokenOf(person)
    const url = `${origin.replace(/^http/, 'ws')}/api/v1/streaming?stream=user&access_token=${token}${position}`
    const socket = new WebSocket(url, { perMessageDeflate: false })
    const reader: Reader = { socket, lastId: '', events: 0 }
    socket.on('message', (data) => {
      const { event, id } = JSON.parse(String(data)) as Frame
      reader.lastId = id
      if (event !== 'resync') reader.events++
      hear(reader)
    })
    socket.once('open', () => resolve(reader))
    socket.once('error', reject)
  })

/** Connects all readers at once; resolves to the milliseconds until each had the wanted number of events, without those that never did. */
const comeAtOnce = async ({ origin, sizes }: Harness, positions: readonly (string | undefined)[], wanted: number) => {
  const times: number[] = []
  const begun = performance.now()
  const { promise: all, resolve: finish } = Promise.withResolvers<void>()
  const late = setTimeout(finish, TIMEOUT)
  const note = (isThere: boolean) => {
    if (isThere) times.push(performance.now() - begun)
    if (times.length === positions.length) finish()
  }
  const readers = await Promise.all(
    positions.map(async (since, index) => {
      const reader = await open(origin, sizes.people + 1 + index, since, ({ events }) => note(events === wanted && wanted > 0))
      if (wanted === 0) note(true)
      return reader
    }),
  )
  await all
  clearTimeout(late)
  return { readers, times: times.sort((a, b) => a - b) }
}

const hangUp = async (readers: readonly Reader[]) => {
  for (const { socket } of readers) socket.terminate()
  await pause(1000)
}

const lineOf = (what: string, times: readonly number[], wanted: number): Line => {
  const missing = wanted - times.length
  return { what, p50: quantile(times, 0.5), p99: quantile(times, 0.99), ...(missing > 0 && { remark: `${missing} missing` }) }
}

/** Reads one home after the other until it is stopped; resolves to the milliseconds of each. */
export const readHomes = (origin: string) => {
  const reader = new Worker(new URL('./home-reader-process.ts', import.meta.url), { workerData: { origin, tokens: viewers } })
  return async (): Promise<number[]> => {
    const read = once(reader, 'message')
    reader.postMessage('stop')
    const [times] = await read
    await reader.terminate()
    return times
  }
}

/** Measures all readers connecting at once: as new ones, then as ones that missed posts, while homes are read. */
export const measureStorm = async (harness: Harness): Promise<Line[]> => {
  const { origin, sizes } = harness
  const nowhere = Array.from({ length: sizes.readers }, () => undefined)
  const fresh = await comeAtOnce(harness, nowhere, 0)
  await hangUp(fresh.readers)
  // An empty position requests one to resume from.
  const placed = await comeAtOnce(
    harness,
    nowhere.map(() => ''),
    0,
  )
  while (placed.readers.some(({ lastId }) => lastId === '')) await pause(50)
  await hangUp(placed.readers)
  const positions = placed.readers.map(({ lastId }) => lastId)
  for (let count = 0; count < MISSED; count++) await post(origin, tokenOf(SPEAKER), `missed ${count}`)
  await pause(2000)
  const stopReading = readHomes(origin)
  await pause(500)
  const resumed = await comeAtOnce(harness, positions, MISSED)
  const homes = await stopReading()
  await hangUp(resumed.readers)
  const rounds: number[][] = []
  const again = await comeAtOnce(harness, positions, MISSED)
  for (let round = 0; round < ROUNDS; round++) {
    const sockets = again.readers.map(({ socket }) => socket)
    rounds.push(await hear(sockets, () => post(origin, tokenOf(SPEAKER), `hear ${round}`)))
    await pause(200)
  }
  await hangUp(again.readers)
  const what = `${sizes.readers} streams opened at once`
  return [
    lineOf(what, fresh.times, sizes.readers),
    lineOf(`${what}, until each has the ${MISSED} posts it missed`, resumed.times, sizes.readers),
    { what: 'home timeline of 20 meanwhile, one after the other', p50: quantile(homes, 0.5), p99: quantile(homes, 0.99) },
    { what: `a post until ${sizes.readers} resumed readers of user have it`, p50: median(rounds, 0.5), p99: median(rounds, 0.99) },
  ]
}
