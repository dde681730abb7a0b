import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { type ByteRange, readChunks } from '@rookery/handles'
import { signedRequests } from './signed-requests.ts'
import { type BucketOptions, contentTypeOf, isKey, type Storage } from './storage.ts'

/** The prefix of objects' names: a bucket may hold other objects too. */
const PREFIX = 'media/'
const YEAR = 'public, max-age=31536000, immutable'

const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of readChunks(path)) hash.update(chunk)
  return hash.digest('hex')
}

/** An error with the store's code, such as AccessDenied; nothing else of its answer is included. */
const refusal = async (method: string, response: IncomingMessage): Promise<Error> => {
  const [, code = ''] = /<Code>(\w{1,64})<\/Code>/.exec(await text(response).catch(() => '')) ?? []
  return new Error(`the bucket refuses ${method}: ${response.statusCode} ${code}`.trimEnd())
}

/**
 * Stores files in a bucket of an S3-compatible store, with path-style URLs. No file is ever in memory as a whole. Acknowledged files are as
 * durable as the store makes them.
 */
export const bucketStorage = (options: BucketOptions): Storage => {
  const send = signedRequests(options)
  const bucket = `/${encodeURIComponent(options.bucket)}`
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new Error('not a key')
    return `${bucket}/${PREFIX}${key}`
  }

  async function* bytesOf(path: string, range?: ByteRange): AsyncGenerator<Buffer> {
    const response = await send({ method: 'GET', path, ...(range && { headers: { range: `bytes=${range.start}-${range.end}` } }) })
    if (response.statusCode !== (range ? 206 : 200)) throw await refusal('GET', response)
    yield* response
  }

  const keysAfter = async (key: string, max: number): Promise<string[]> => {
    const query = new URLSearchParams({ 'list-type': '2', 'max-keys': String(max), prefix: PREFIX, 'start-after': PREFIX + key })
    const response = await send({ method: 'GET', path: `${bucket}?${query}` })
    if (response.statusCode !== 200) throw await refusal('a list', response)
    const names = [...(await text(response)).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = '']) => name.slice(PREFIX.length))
    return names.filter(isKey)
  }

  return {
    async put(key, from) {
      const [{ size }, digest] = await Promise.all([stat(from), digestOf(from)])
      const headers = { 'content-length': String(size), 'content-type': contentTypeOf(key), 'cache-control': YEAR }
      const response = await send({ method: 'PUT', path: pathOf(key), headers, file: { path: from, digest } })
      if (response.statusCode !== 200) throw await refusal('PUT', response)
      response.resume()
    },
    async open(key) {
      const path = pathOf(key)
      const response = await send({ method: 'HEAD', path })
      response.resume()
      if (response.statusCode === 404) return undefined
      if (response.statusCode !== 200) throw await refusal('HEAD', response)
      const size = Number(response.headers['content-length'])
      return { size, read: (range) => bytesOf(path, range) }
    },
    async remove(key) {
      const response = await send({ method: 'DELETE', path: pathOf(key) })
      if (![200, 204, 404].includes(response.statusCode ?? 0)) throw await refusal('DELETE', response)
      response.resume()
    },
    keysAfter,
    async fault() {
      // A short list after the last key: only the permission matters.
      const asked = keysAfter('g', 1).then(() => undefined)
      return asked.catch(
        (error: Error) => `the bucket ${options.bucket} cannot be used: ${(error.cause as Error)?.message ?? error.message}`,
      )
    },
  }
}
