import type { IncomingMessage } from 'node:http'
import { Failure, invalid } from '@rookery/failures'
import { keepDataUris } from './data-uris.ts'
import { formOf, type Pair, parseForm, type Repeated } from './form.ts'
import { type ParsedHeader, parseHeader } from './header.ts'
import { parseJson } from './json.ts'
import { boundaryOf, type PartHead, type PartSink, readParts } from './multipart.ts'
import { createUploads, type UploadedFile, type Uploads } from './uploads.ts'
import { checkedText, MAX_BYTES, malformed, tooLarge, type Values } from './values.ts'

/** The body of a request: parameters, and uploaded files by parameter name. Close it when the request is done. */
export type Body = { values: Values; files: ReadonlyMap<string, UploadedFile>; close(): Promise<void> }

/** What an endpoint accepts in a body. Files that it does not name are skipped. */
type BodyOptions = {
  /**
   * Parameters that may hold a file, each as often as it may be repeated. A file in a list, `k[][x]`, has as its value the name under which
   * `files` holds it. A data URI in place of a part is a file as well.
   */
  readonly files?: readonly string[]
  /** Maximum bytes of a file. */
  readonly fileBytes?: number
  /** Maximum bytes of all parameters together, if lower than the default. */
  readonly bytes?: number
  readonly repeated?: Repeated
}

/** The body of a request without one. */
export const EMPTY_BODY: Body = { values: {}, files: new Map(), close: async () => {} }

const FORM_TYPES = new Set(['', 'text/plain', 'application/x-www-form-urlencoded'])
const MEBIBYTE = 1_048_576

/** Whether a request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The chunks of a body. @throws Failure invalid over the limit, malformed when the body ends early */
async function* chunksOf(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge()
      yield chunk
    }
  } catch (error) {
    throw error instanceof Failure ? error : malformed('The request body ended early', error)
  }
}

const decodedText = (bytes: Buffer, charset: string, refusal: () => Failure): string => {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    throw refusal()
  }
}

const readText = async (request: IncomingMessage, maxBytes: number): Promise<string> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const chunks: Buffer[] = []
  for await (const chunk of chunksOf(request, maxBytes)) chunks.push(chunk)
  return decodedText(Buffer.concat(chunks), 'utf-8', () => malformed('The request is not valid UTF-8'))
}

const SKIPPED: PartSink = { write: () => {}, end: () => {} }

/** Collects the text of a part. */
const textSink = ({ name, charset }: PartHead, count: (bytes: number) => void, keep: (pair: Pair) => void): PartSink => {
  const chunks: Buffer[] = []
  const notText = () => malformed(`The part ${JSON.stringify(name)} has no filename, and its content is not text`)
  return {
    write(chunk) {
      count(chunk.length)
      chunks.push(chunk)
    },
    end() {
      const text = decodedText(Buffer.concat(chunks), charset, notText)
      if (text.includes('\0')) throw notText()
      keep([name, text])
    },
  }
}

/** A parameter's name with list indexes removed: `k[]` for `k[0]`. */
const withoutPlaces = (name: string) => name.replace(/\[\d+\]/g, '[]')

const boundOf = ({ fileBytes = 0 }: BodyOptions) => ({
  maxBytes: fileBytes,
  tooLarge: () => invalid(`File must be less than ${fileBytes / MEBIBYTE} MB`),
})

const partsOf = async (request: IncomingMessage, header: ParsedHeader, options: BodyOptions, uploads: Uploads): Promise<Pair[]> => {
  const { files = [], fileBytes = 0, bytes: maxBytes = MAX_BYTES } = options
  const pairs: Pair[] = []
  let size = 0
  const count = (bytes: number) => {
    size += bytes
    if (size > maxBytes) throw tooLarge()
  }
  const bound = boundOf(options)
  const wanted = [...files]
  const open = (head: PartHead): PartSink => {
    count(head.name.length)
    if (head.fileName === undefined) return textSink(head, count, (pair) => pairs.push(pair))
    // If a name is given twice, the first counts.
    const at = wanted.indexOf(withoutPlaces(head.name))
    if (at < 0) return SKIPPED
    const [name = ''] = wanted.splice(at, 1)
    const isInList = name.includes('[]')
    const field = isInList ? `${name} ${wanted.length}` : name
    if (isInList) pairs.push([head.name, field])
    return uploads.sink({ field, name: head.fileName, contentType: head.contentType }, bound)
  }
  // The limit counts twice: for the parameters, and for the multipart framing around them and the files.
  const chunks = chunksOf(request, 2 * maxBytes + files.length * fileBytes)
  await readParts(chunks, boundaryOf(header), open)
  return pairs
}

const valuesOf = async (request: IncomingMessage, options: BodyOptions, uploads: Uploads): Promise<Values> => {
  const header = parseHeader(request.headers['content-type'] ?? '')
  if (header.value === 'multipart/form-data') return formOf(await partsOf(request, header, options, uploads), options.repeated)
  const isJson = header.value === 'application/json' || header.value.endsWith('+json')
  if (!isJson && !FORM_TYPES.has(header.value)) throw malformed(`The content type ${checkedText(header.value)} is not understood`)
  const text = await readText(request, options.bytes ?? MAX_BYTES)
  return isJson ? parseJson(text) : parseForm(text, options.repeated)
}

const read = async (request: IncomingMessage, options: BodyOptions): Promise<Body> => {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') throw malformed('The request body must not be compressed')
  const uploads = createUploads()
  try {
    const values = await valuesOf(request, options, uploads)
    await keepDataUris(values, options.files ?? [], uploads, boundOf(options))
    return { values, files: uploads.files, close: uploads.remove }
  } catch (error) {
    await uploads.remove()
    throw error
  }
}

/**
 * Reads a body of any type that clients send, on any method (beyond-the-spec 0.1). A body without a type, or of text/plain, is parsed as a
 * form. The rest of a refused body is skipped, so that the connection can carry the answer.
 * @throws Failure malformed for an unreadable body, invalid over the size limits
 */
export const readBody = async (request: IncomingMessage, options: BodyOptions = {}): Promise<Body> => {
  if (!hasBody(request)) return EMPTY_BODY
  try {
    return await read(request, options)
  } finally {
    request.resume()
  }
}

/**
 * Reads a body of any type as bytes, for the verification of its signature. The rest of a refused body is skipped, so that the connection
 * can carry the answer. @throws Failure malformed when it ends early or is compressed, invalid over the limit
 */
export const readBytes = async (request: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  try {
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') throw malformed('The request body must not be compressed')
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
    return Buffer.concat(await Array.fromAsync(chunksOf(request, maxBytes)))
  } finally {
    request.resume()
  }
}

/** The query parameters of a request. @throws Failure malformed */
export const queryOf = ({ url = '' }: IncomingMessage, repeated?: Repeated): Values => {
  const mark = url.indexOf('?')
  return mark < 0 ? {} : parseForm(url.slice(mark + 1), repeated)
}
