import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Failure } from '@rookery/failures'
import { queryOf as parseQuery, readBody, type Values } from '@rookery/http'

/** Parameters of a request, by name. */
export type Parameters = Readonly<Values>

/** A form with a file. */
export type Upload = { parameters: Parameters; text: string }

/** The maximum size of a form, in bytes. */
const MAX_FORM_BYTES = 64 * 1024
/** The maximum size of a file, in bytes: tens of thousands of lines. */
const MAX_FILE_BYTES = 2 * 1024 * 1024

/** A repeated parameter stays a list, which `textOf` refuses (RFC 6749, 3.1). */
const REPEATED = 'list'

/** The parameters of the query. @throws Failure malformed */
export const queryOf = (request: IncomingMessage): Parameters => parseQuery(request, REPEATED)

/**
 * The parameters of the query and of the body (form, JSON or multipart), which takes precedence.
 * @throws Failure malformed, invalid if it is too large
 */
export const readParameters = async (request: IncomingMessage): Promise<Parameters> => {
  const { values } = await readBody(request, { bytes: MAX_FORM_BYTES, repeated: REPEATED })
  return { ...queryOf(request), ...values }
}

/** Reads a form with a text file, named `file`. @throws Failure malformed, invalid if it is too large */
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

/** A parameter as text; undefined if it is absent, null or empty. @throws Failure malformed if it is a list or an object */
export const textOf = (parameters: Parameters, name: string): string | undefined => {
  const value = parameters[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'object') throw new Failure('malformed', `The parameter ${name} must be given once.`)
  return String(value)
}

/** Parameters as texts; absent ones are left out. @throws Failure malformed */
export const textsOf = <Name extends string>(parameters: Parameters, names: readonly Name[]): Partial<Record<Name, string>> => {
  const texts: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const text = textOf(parameters, name)
    if (text !== undefined) texts[name] = text
  }
  return texts
}

const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])

/** A boolean parameter (beyond-the-spec 0.1, Booleans). @throws Failure malformed */
export const booleanOf = (parameters: Parameters, name: string): boolean => {
  const text = textOf(parameters, name)
  return text !== undefined && !FALSE.has(text)
}
