import type { PartSink } from './multipart.ts'
import type { Uploads } from './uploads.ts'
import type { Values } from './values.ts'

/** A decoded data URI. */
type Data = { contentType: string; bytes: Buffer }

/** Decodes a data URI in base64 (RFC 2397); undefined for any other value, and for an empty file. */
export const dataOf = (value: unknown): Data | undefined => {
  if (typeof value !== 'string' || !value.startsWith('data:')) return undefined
  const comma = value.indexOf(',')
  const [contentType = '', ...parameters] = value.slice('data:'.length, Math.max(comma, 0)).split(';')
  if (parameters.at(-1)?.trim().toLowerCase() !== 'base64') return undefined
  const bytes = Buffer.from(value.slice(comma + 1), 'base64')
  return bytes.length > 0 ? { contentType, bytes } : undefined
}

/** The objects whose member of that name is a data URI, and the decoded files. */
const heldUnder = (holders: Values[], member: string): { holder: Values; data: Data }[] =>
  holders.flatMap((holder) => {
    const data = dataOf(holder[member])
    return data ? { holder, data } : []
  })

/** The objects that may hold a file, and the member: of `k[][x]` the items of the list `k`, of `x` the values themselves. */
const holdersOf = (values: Values, name: string): { holders: Values[]; member: string } => {
  const [list = '', member] = name.split('[][')
  if (member === undefined) return { holders: [values], member: name }
  const items = values[list]
  const hashes = typeof items === 'object' && items !== null ? Object.values(items) : []
  const holders = hashes.filter((item): item is Values => typeof item === 'object' && item !== null)
  return { holders, member: member.slice(0, -1) }
}

const keep = async (sink: PartSink, bytes: Buffer) => {
  await sink.write(bytes)
  await sink.end()
}

/**
 * Stores files sent as data URIs in place of parts: clients that send JSON have no other way, and some send a profile picture or the
 * thumbnail of an edit like that. Each becomes a file under its parameter's name; one in a list, `k[][x]`, has as its value the name under
 * which `files` holds it, as with a part. A name is accepted as often as `names` contains it.
 */
export const keepDataUris = async (
  values: Values,
  names: readonly string[],
  uploads: Uploads,
  bound: { maxBytes: number; tooLarge: () => Error },
): Promise<void> => {
  for (const name of new Set(names)) {
    const { holders, member } = holdersOf(values, name)
    const isInList = name !== member
    const most = names.filter((each) => each === name).length
    for (const [index, { holder, data }] of heldUnder(holders, member).slice(0, most).entries()) {
      const field = isInList ? `${name} as data ${index}` : name
      if (uploads.files.has(field)) continue
      await keep(uploads.sink({ field, name: 'data', contentType: data.contentType }, bound), data.bytes)
      holder[member] = isInList ? field : undefined
    }
  }
}
