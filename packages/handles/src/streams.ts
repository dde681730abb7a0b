import type { Transform, Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'

/** What a transform makes of a source. @throws what either of them fails with */
export async function* through(source: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Buffer> {
  const flow = pipeline(source, transform)
  // Until the reader is at the end, errors reach it by the transform.
  flow.catch(() => {})
  yield* transform
  await flow
}

/** Writes to a stream no faster than it takes it. */
export type Writer = { write(bytes: Uint8Array): Promise<void>; end(): Promise<void> }

/** A writer whose `write` and `end` throw the stream's errors, also those that came in between. */
export const openWriter = (stream: Writable): Writer => {
  stream.on('error', () => {})
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(stream.errored ?? error) : resolve()))
      }),
    async end() {
      stream.end()
      await finished(stream)
    },
  }
}
