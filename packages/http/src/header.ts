/** A header of the form `value; name=text; name="text"`: its value in lower case, and its parameters by lower-case name. */
export type ParsedHeader = { readonly value: string; readonly parameters: ReadonlyMap<string, string> }

// Each run of blanks matches in only one way: otherwise a header full of blanks would take quadratic time.
const PARAMETER = /;[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*=[ \t]*(?![ \t])(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*))(?=[ \t]*(?:;|$))[ \t]*/gsy

/** Decodes an extended value: `UTF-8''%e2%82%ac`; undefined if it is not one (RFC 8187). */
const decodedExtended = (text: string): string | undefined => {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text)?.[1]
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

/** The parameters from a position in a header on, by lower-case name; if one is repeated, the first counts. */
const parametersFrom = (header: string, start: number): Map<string, string> => {
  const parameters = new Map<string, string>()
  PARAMETER.lastIndex = start
  for (let found = PARAMETER.exec(header); found; found = PARAMETER.exec(header)) {
    const [, name = '', quoted, plain = ''] = found
    const text = quoted === undefined ? plain : quoted.replace(/\\(["\\])/g, '$1')
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), text)
  }
  return parameters
}

/**
 * Parses a header into its value and its parameters (RFC 9110, 5.6.6); `name*` takes precedence over `name`. Everything after a syntax
 * error is ignored.
 */
export const parseHeader = (header: string): ParsedHeader => {
  const end = header.indexOf(';')
  const value = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase()
  const parameters = end < 0 ? new Map<string, string>() : parametersFrom(header, end)
  for (const [name, text] of parameters) {
    const decoded = name.endsWith('*') ? decodedExtended(text) : undefined
    if (decoded !== undefined) parameters.set(name.slice(0, -1), decoded)
  }
  return { value, parameters }
}
