import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchError } from './fetch-error.ts'

/** What an answer may be packed in, as Accept-Encoding says it. */
export const ENCODINGS = 'gzip, deflate, br'

const UNPACKERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The bytes of an answer, unpacked. @throws FetchError type for an encoding that was not asked for */
const unpacked = (answer: IncomingMessage): Readable => {
  const encoding = (answer.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return answer
  const unpacker = Object.hasOwn(UNPACKERS, encoding) ? UNPACKERS[encoding]?.() : undefined
  if (!unpacker) throw new FetchError('type', `an answer in the encoding ${encoding.slice(0, 40)}`)
  answer.on('error', (error) => unpacker.destroy(error))
  return answer.pipe(unpacker)
}

/** Reads an answer to its end. What is packed counts both as it came and unpacked. @throws FetchError large, type */
export const readBody = async (answer: IncomingMessage, mostBytes: number): Promise<Buffer> => {
  const tooLarge = () => new FetchError('large', `more than ${mostBytes} bytes`)
  if (Number(answer.headers['content-length'] ?? 0) > mostBytes) throw tooLarge()
  const stream = unpacked(answer)
  let came = 0
  if (stream !== answer) {
    answer.on('data', (chunk: Buffer) => {
      came += chunk.length
      if (came > mostBytes) stream.destroy(tooLarge())
    })
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > mostBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
