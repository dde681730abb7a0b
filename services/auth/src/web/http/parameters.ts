import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Failure } from '@rookery/failures'
import { queryOf as parseQuery, readBody, type Values } from '@rookery/http'

/** What was sent, by name. */
export type Parameters = Readonly<Values>

/** A form that came with a file. */
export type Upload = { parameters: Parameters; text: string }

/** Bytes of a form; none of ours is longer. */
const MAX_FORM_BYTES = 64 * 1024
/** Two MiB of text: tens of thousands of lines. */
const MAX_FILE_BYTES = 2 * 1024 * 1024

/** A parameter given twice stays a list, which `textOf` refuses (RFC 6749, 3.1). */
const REPEATED = 'list'

/** The parameters of the address alone. @throws Failure malformed */
export const queryOf = (request: IncomingMessage): Parameters => parseQuery(request, REPEATED)

/** The parameters of a request from its form, JSON or multipart body and its address; the body wins. @throws Failure malformed, invalid when it is too large */
export const readParameters = async (request: IncomingMessage): Promise<Parameters> => {
  const { values } = await readBody(request, { bytes: MAX_FORM_BYTES, repeated: REPEATED })
  return { ...queryOf(request), ...values }
}

/** Reads a form with one text file, named `file`. @throws Failure malformed for what is no such form, invalid when it is too large */
export const readUpload = async (request: IncomingMessage): Promise<Upload> => {
  const options = { bytes: MAX_FORM_BYTES, repeated: REPEATED, files: ['file'], fileBytes: MAX_FILE_BYTES } as const
  const body = await readBody(request, options)
  try {
    const file = body.files.get('file')
    return { parameters: body.values, text: file ? await readFile(file.path, 'utf8') : '' }
  } finally {
    await body.close()
  }
}

/**
 * One parameter as text; undefined when it is absent, null or empty.
 * @throws Failure malformed when it is a list or an object, or holds what no text may
 */
export const textOf = (parameters: Parameters, name: string): string | undefined => {
  const value = parameters[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'object') throw new Failure('malformed', `The parameter ${name} must be given once.`)
  return String(value)
}

/** Several parameters as texts; those absent are left out. @throws Failure malformed */
export const textsOf = <Name extends string>(parameters: Parameters, names: readonly Name[]): Partial<Record<Name, string>> => {
  const texts: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const text = textOf(parameters, name)
    if (text !== undefined) texts[name] = text
  }
  return texts
}

const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])

/** A parameter as yes or no (beyond-the-spec 0.1, Booleans). @throws Failure malformed */
export const booleanOf = (parameters: Parameters, name: string): boolean => {
  const text = textOf(parameters, name)
  return text !== undefined && !FALSE.has(text)
}
