import type { Person } from '@rookery/test-world'
import { expect } from 'vitest'

/** Tags of one post, each with a stream of its own. */
const TAGS = Array.from({ length: 80 }, (_, index) => `q${index}`)
const POST = TAGS.map((tag) => `#${tag}`).join(' ')
/** A post is two megabytes for who hears the streams of all its tags; the machine's own buffers hold some. */
const MAX_POSTS = 40

/** The value of a metric without labels. */
const metricOf = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])

/** Opens the streams of all tags over one WebSocket, and reads nothing of them. */
const listenSilently = async (reader: Person): Promise<void> => {
  const stream = await reader.listens('user')
  for (const tag of TAGS) stream.send({ type: 'subscribe', stream: 'hashtag', tag })
  stream.stopReading()
}

/**
 * Expects that a reader who never reads is cut once a megabyte waits for it in the server, and that another one misses nothing meanwhile.
 * `metrics` is the page of the process that carries the streams.
 */
export const expectSilentReaderCut = async (given: { author: Person; reader: Person; metrics: () => Promise<string> }): Promise<void> => {
  const { author, reader, metrics } = given
  const open = async () => metricOf(await metrics(), 'rookery_stream_connections')
  const cut = async () => metricOf(await metrics(), 'rookery_stream_slow_readers_total')
  const [before, openBefore] = [await cut(), await open()]
  await listenSilently(reader)
  const other = await reader.listens('hashtag', { tag: TAGS[0]! })
  let posts = 0
  while ((await cut()) === before && posts++ < MAX_POSTS) {
    const said = await author.says(POST)
    await other.hears(({ event, payload }) => event === 'update' && JSON.parse(payload ?? '{}').id === said.id)
  }
  expect([await cut(), other.frames.length]).toEqual([before + 1, posts])
  await other.close()
  await expect.poll(open).toBe(openBefore)
}
