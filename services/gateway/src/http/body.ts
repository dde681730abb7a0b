import type { IncomingMessage } from 'node:http'
import { Failure } from '@rookery/failures'
import { parseForm } from './form.ts'
import { readMultipart } from './multipart.ts'
import type { Body } from './received.ts'
import { checkedText, checkedValues, MOST_BYTES, tooLarge, type Values } from './values.ts'

/** The body of a request that has none. */
export const EMPTY_BODY: Body = { values: {}, files: new Map(), close: async () => {} }

const utf8 = new TextDecoder('utf-8', { fatal: true })

const readBytes = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return reject(tooLarge())
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MOST_BYTES) {
        request.removeAllListeners('data')
        request.resume()
        reject(tooLarge())
      } else chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    request.on('error', () => reject(new Failure('malformed', 'The request body ended early')))
  })

const textOf = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Failure('malformed', 'The request is not valid UTF-8')
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

const FORM_TYPES = new Set(['', 'text/plain', 'application/x-www-form-urlencoded'])

/**
 * Reads a body of any of the types clients send, on any method (beyond-the-spec 0.1). No type or text/plain is tried as a form.
 * @throws Failure malformed for what cannot be read, invalid over the size limit
 */
export const readBody = async (request: IncomingMessage, takes: { files: readonly string[]; fileBytes: number }): Promise<Body> => {
  const { 'content-type': header = '', 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (coding === undefined && Number(length ?? 0) === 0) return EMPTY_BODY
  const type = header.split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'multipart/form-data') return readMultipart(request, takes)
  const isJson = type === 'application/json' || type.endsWith('+json')
  if (!isJson && !FORM_TYPES.has(type)) throw new Failure('malformed', `The content type ${checkedText(type)} is not understood`)
  const text = textOf(await readBytes(request))
  return { ...EMPTY_BODY, values: isJson ? parseJson(text) : parseForm(text) }
}
