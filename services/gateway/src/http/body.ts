import type { IncomingMessage } from 'node:http'
import { Failure } from '@rookery/failures'
import { parse } from 'qs'
import { readMultipart, type UploadedFile } from './multipart.ts'
import { checkedValues, type Values } from './values.ts'

/** Bytes of a body without files. */
const LARGEST = 1_048_576

const utf8 = new TextDecoder('utf-8', { fatal: true })

const tooLarge = () => new Failure('invalid', 'Validation failed: Request body is too large')
const notUtf8 = () => new Failure('malformed', 'Parameters must be valid UTF-8')

/** Splits a query string or form into values: arrays as k[], k[0] or repeated, hashes as k[x] (beyond-the-spec 0.1). */
export const parseForm = (text: string): Values => {
  if (text === '') return {}
  const values = parse(text, {
    allowPrototypes: false,
    arrayLimit: 1000,
    parameterLimit: 2000,
    depth: 8,
    decoder: (part) => {
      try {
        return decodeURIComponent(part.replace(/\+/g, ' '))
      } catch {
        throw notUtf8()
      }
    },
  })
  return checkedValues(values) as Values
}

const readBytes = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > LARGEST) return reject(tooLarge())
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > LARGEST) {
        request.removeAllListeners('data')
        request.resume()
        reject(tooLarge())
      } else chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    request.on('error', () => reject(new Failure('malformed', 'The request body ended early')))
  })

const decoded = (bytes: Buffer) => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw notUtf8()
  }
}

const parseJson = (text: string): Values => {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Failure('malformed', 'The request body is not valid JSON')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Failure('malformed', 'The request body must be a JSON object')
  }
  return checkedValues(value) as Values
}

/** What a request carries in its body: parameters, and files by parameter name. Close it when the request is done. */
export type Body = { values: Values; files: Map<string, UploadedFile>; close(): Promise<void> }

const NO_FILES: ReadonlyMap<string, UploadedFile> = new Map()
const withoutFiles = (values: Values): Body => ({ values, files: NO_FILES as Map<string, UploadedFile>, close: async () => {} })

/**
 * Reads a body of any of the types clients send, on any method (beyond-the-spec 0.1). No type or text/plain is tried as a form.
 * @throws Failure malformed for what cannot be read, invalid over the size limit
 */
export const readBody = async (request: IncomingMessage, options: { fileBytes: number }): Promise<Body> => {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'multipart/form-data') return readMultipart(request, options)
  const isEmpty = request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0
  if (isEmpty) return withoutFiles({})
  if (type === 'application/json' || type.endsWith('+json')) return withoutFiles(parseJson(decoded(await readBytes(request))))
  if (type === '' || type === 'text/plain' || type === 'application/x-www-form-urlencoded') {
    return withoutFiles(parseForm(decoded(await readBytes(request))))
  }
  throw new Failure('malformed', `The content type ${checkedValues(type)} is not understood`)
}
