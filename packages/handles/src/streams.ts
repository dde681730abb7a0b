import type { Transform, Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'

/** The output of a transform for a source. @throws the error of either */
export async function* through(source: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Buffer> {
  const flow = pipeline(source, transform)
  // Errors reach the reader through the transform until it is at the end.
  flow.catch(() => {})
  yield* transform
  await flow
}

/** Writes to a stream with backpressure. */
export type Writer = { write(bytes: Uint8Array): Promise<void>; end(): Promise<void> }

/** A writer whose `write` and `end` throw the stream's errors, those that came in between included. */
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
