import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '@rookery/failures'
import busboy, { type FileInfo } from 'busboy'
import type { Body } from './body.ts'
import { parseForm } from './body.ts'

/** A file of a multipart body, kept in a temporary file: its other parameters may come after it. */
export type UploadedFile = { path: string; name: string; contentType: string; size: number; isCut: boolean }

const LIMITS = { fields: 1000, fieldSize: 1_048_576, files: 4, parts: 1010, headerPairs: 100 }

/** Fields joined the way forms are, so that arrays and hashes have one parser. */
const asForm = (fields: readonly [string, string][]) =>
  parseForm(fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&'))

/**
 * Reads a multipart body; files go to a temporary folder that `close` removes.
 * @throws Failure malformed for a body that is not what its type says
 */
export const readMultipart = async (request: IncomingMessage, { fileBytes }: { fileBytes: number }): Promise<Body> => {
  const fields: [string, string][] = []
  const files = new Map<string, UploadedFile>()
  const writing: Promise<void>[] = []
  const folder = await mkdtemp(join(tmpdir(), 'rookery-upload-'))
  const close = () => rm(folder, { recursive: true, force: true })

  const keep = async (name: string, stream: Readable & { truncated?: boolean }, info: FileInfo) => {
    const path = join(folder, String(files.size))
    const file: UploadedFile = { path, name: info.filename ?? '', contentType: info.mimeType, size: 0, isCut: false }
    files.set(name, file)
    stream.on('data', (chunk: Buffer) => {
      file.size += chunk.length
    })
    await pipeline(stream, createWriteStream(path))
    file.isCut = stream.truncated === true
  }

  try {
    await new Promise<void>((resolve, reject) => {
      const broken = () => reject(new Failure('malformed', 'The request body is not valid multipart data'))
      // The limit is one byte above what is allowed, so that a file of just that size is whole.
      const parser = busboy({ headers: request.headers, defParamCharset: 'utf8', limits: { ...LIMITS, fileSize: fileBytes + 1 } })
      parser.on('field', (name, value) => fields.push([name, value]))
      parser.on('file', (name, stream, info) => {
        const kept = keep(name, stream, info)
        kept.catch(() => {})
        writing.push(kept)
      })
      parser.on('error', broken)
      parser.on('close', resolve)
      request.on('aborted', broken)
      request.on('error', broken)
      request.pipe(parser)
    })
    await Promise.all(writing)
    return { values: asForm(fields), files, close }
  } catch (error) {
    request.unpipe()
    request.resume()
    await close()
    if (error instanceof Failure) throw error
    throw new Failure('malformed', 'The request body is not valid multipart data', { cause: error })
  }
}
