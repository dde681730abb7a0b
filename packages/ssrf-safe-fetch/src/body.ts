import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { through } from '@rookery/handles'
import { FetchError } from './fetch-error.ts'

/** The accepted encodings of an answer, for Accept-Encoding. */
export const ENCODINGS = 'gzip, deflate, br'

const UNPACKERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The decompressor of an encoding; undefined if there is none. @throws FetchError type for an encoding that was not accepted */
const unpackerOf = (answer: IncomingMessage): Transform | undefined => {
  const encoding = (answer.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return undefined
  if (!Object.hasOwn(UNPACKERS, encoding)) throw new FetchError('type', `an answer in the encoding ${encoding.slice(0, 40)}`)
  return UNPACKERS[encoding]!()
}

/** The chunks of a source, up to a maximum of bytes. @throws FetchError large beyond it */
async function* bounded(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

const tooLarge = (maxBytes: number) => new FetchError('large', `more than ${maxBytes} bytes`)

/**
 * The bytes of an answer as they arrive. The limit holds for both the compressed and the decompressed bytes. @throws FetchError large, type
 */
export const bodyOf = (answer: IncomingMessage, maxBytes: number): AsyncIterable<Buffer> => {
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const unpacker = unpackerOf(answer)
  const received = bounded(answer, maxBytes)
  return bounded(unpacker ? through(received, unpacker) : received, maxBytes)
}

/** Reads an answer to its end. @throws as `bodyOf` */
export const readBody = async (answer: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(bodyOf(answer, maxBytes)))
