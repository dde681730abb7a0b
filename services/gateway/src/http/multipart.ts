import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '@rookery/failures'
import busboy, { type FileInfo } from 'busboy'
import { formOf, MOST_PAIRS, type Pair, tooMany } from './form.ts'
import type { Body, UploadedFile } from './received.ts'
import { checkedText, MOST_BYTES, tooLarge } from './values.ts'

const LIMITS = { parts: MOST_PAIRS, fieldSize: MOST_BYTES }

const broken = (cause?: unknown) => new Failure('malformed', 'The request body is not valid multipart data', { cause })

/** Temporary files of one request, in a folder made when the first one comes. */
const createUploads = () => {
  const files = new Map<string, UploadedFile>()
  const writing = new Map<string, Promise<void>>()
  let folder: Promise<string> | undefined
  const write = async (name: string, number: number, stream: Readable, info: FileInfo) => {
    folder ??= mkdtemp(join(tmpdir(), 'rookery-upload-'))
    const path = join(await folder, String(number))
    const file = { path, name: checkedText(info.filename ?? ''), contentType: checkedText(info.mimeType) }
    await pipeline(stream, createWriteStream(path))
    files.set(name, file)
  }
  return {
    files,
    has: (name: string) => writing.has(name),
    keep(name: string, stream: Readable, info: FileInfo) {
      const written = write(name, writing.size, stream, info)
      written.catch(() => stream.resume())
      writing.set(name, written)
    },
    /** Resolves when all files are whole. */
    written: () => Promise.all(writing.values()),
    async remove() {
      await Promise.allSettled(writing.values())
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
}

type Uploads = ReturnType<typeof createUploads>

/** Takes a body apart: gives the fields, hands the files that are wanted to `uploads`. */
const takeApart = (request: IncomingMessage, uploads: Uploads, takes: { files: readonly string[]; fileBytes: number }) =>
  new Promise<Pair[]>((resolve, reject) => {
    const pairs: Pair[] = []
    let size = 0
    // The limit is one byte above what is allowed, so that a file of just that size is whole.
    const parser = busboy({ headers: request.headers, defParamCharset: 'utf8', limits: { ...LIMITS, fileSize: takes.fileBytes + 1 } })
    const refuse = (failure: Failure) => {
      reject(failure)
      request.unpipe(parser)
      request.resume()
      // Ends the files that are being written.
      parser.destroy(failure)
    }
    parser.on('field', (name, value) => {
      size += name.length + value.length
      if (size > MOST_BYTES) refuse(tooLarge())
      else pairs.push([name, value])
    })
    parser.on('file', (name, stream, info) => {
      // One that breaks before anybody reads it must not end the process.
      stream.on('error', () => {})
      if (takes.files.includes(name) && !uploads.has(name)) uploads.keep(name, stream, info)
      else stream.resume()
    })
    parser.on('partsLimit', () => refuse(tooMany()))
    parser.on('error', (error) => refuse(broken(error)))
    parser.on('close', () => resolve(pairs))
    request.on('error', (error) => refuse(broken(error)))
    request.pipe(parser)
  })

/**
 * Reads a multipart body; the files an endpoint takes go to a temporary folder that `close` removes.
 * @throws Failure malformed for a body that is not what its type says, invalid over the size limit
 */
export const readMultipart = async (request: IncomingMessage, takes: { files: readonly string[]; fileBytes: number }): Promise<Body> => {
  const uploads = createUploads()
  try {
    const pairs = await takeApart(request, uploads, takes)
    await uploads.written()
    return { values: formOf(pairs), files: uploads.files, close: uploads.remove }
  } catch (error) {
    await uploads.remove()
    throw error instanceof Failure ? error : broken(error)
  }
}
