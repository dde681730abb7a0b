import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import busboy from 'busboy'
import qs from 'qs'

/** A request that cannot be read: its sentence is for the caller. */
export class MalformedRequest extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options)
    this.name = 'MalformedRequest'
  }
}

/** What was sent, by name. */
export type Parameters = Readonly<Record<string, unknown>>

const MOST_BYTES = 64 * 1024
const TOO_LARGE = 'The request is too large.'

/** Reads all of a body and leaves the connection able to carry the answer. @throws MalformedRequest beyond 64 KiB */
const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw new MalformedRequest(TOO_LARGE)
  if (request.headers['content-encoding']) throw new MalformedRequest('The request must not be compressed.')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > MOST_BYTES) throw new MalformedRequest(TOO_LARGE)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads a query string or a form (beyond-the-spec 0.1). */
export const parseForm = (text: string): Parameters =>
  qs.parse(text, { allowPrototypes: false, plainObjects: true, arrayLimit: 100, depth: 2, parameterLimit: 200 })

const parseJson = (text: string): Parameters => {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Parameters
  } catch (cause) {
    throw new MalformedRequest('The request is not valid JSON.', { cause })
  }
  throw new MalformedRequest('The request must be a JSON object.')
}

const parseMultipart = (request: IncomingMessage, body: Buffer): Promise<Parameters> =>
  new Promise((resolve, reject) => {
    const refuse = (cause: unknown) => reject(new MalformedRequest('The multipart form is broken.', { cause }))
    const pairs: [string, string][] = []
    try {
      const parser = busboy({ headers: request.headers, limits: { fields: 200, parts: 200 } })
      parser.on('field', (name, value) => pairs.push([name, value]))
      // A file that breaks off fails by itself besides the parser: without a listener that ends the process.
      parser.on('file', (_name, file) => file.on('error', refuse).resume())
      parser.on('error', refuse)
      parser.on('close', () => resolve(parseForm(new URLSearchParams(pairs).toString())))
      Readable.from([body]).pipe(parser)
    } catch (error) {
      refuse(error)
    }
  })

const parseBody = (request: IncomingMessage, body: Buffer): Parameters | Promise<Parameters> => {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return parseJson(body.toString())
  if (type === 'multipart/form-data') return parseMultipart(request, body)
  return parseForm(body.toString())
}

/** The parameters of the address alone. */
export const queryOf = (request: IncomingMessage): Parameters => {
  const start = (request.url ?? '').indexOf('?')
  return start < 0 ? {} : parseForm((request.url ?? '').slice(start + 1))
}

/** The parameters of a request from its form, JSON or multipart body and its address; the body wins. @throws MalformedRequest */
export const readParameters = async (request: IncomingMessage): Promise<Parameters> => ({
  ...queryOf(request),
  ...(await parseBody(request, await readBody(request))),
})

/**
 * One parameter as text; undefined when it is absent, null or empty.
 * @throws MalformedRequest when it is a list or an object, or holds what no text may
 */
export const textOf = (parameters: Parameters, name: string): string | undefined => {
  const value = parameters[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'object') throw new MalformedRequest(`The parameter ${name} must be given once.`)
  const text = String(value)
  if (text.includes('\0') || !text.isWellFormed()) throw new MalformedRequest(`The parameter ${name} is not text.`)
  return text
}

/** Several parameters as texts; those absent are left out. @throws MalformedRequest */
export const textsOf = <Name extends string>(parameters: Parameters, names: readonly Name[]): Partial<Record<Name, string>> => {
  const texts: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const text = textOf(parameters, name)
    if (text !== undefined) texts[name] = text
  }
  return texts
}

const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])

/** A parameter as yes or no (beyond-the-spec 0.1, Booleans). @throws MalformedRequest */
export const booleanOf = (parameters: Parameters, name: string): boolean => {
  const text = textOf(parameters, name)
  return text !== undefined && !FALSE.has(text)
}
