const NULL = Buffer.from('null')
const CLOSE = Buffer.from('}')

/** Further keys of an object, whose values are already JSON; undefined becomes null. */
type Parts = Readonly<Record<string, Buffer | undefined>>

/** The JSON of a non-empty object with further keys. */
export const extendedJson = (json: Buffer, parts: Parts): Buffer =>
  Buffer.concat([
    json.subarray(0, -1),
    ...Object.entries(parts).flatMap(([key, json]) => [Buffer.from(`,${JSON.stringify(key)}:`), json ?? NULL]),
    CLOSE,
  ])

/** A non-empty object as JSON, with further keys. */
export const jsonWith = (entity: object, parts: Parts): Buffer => extendedJson(Buffer.from(JSON.stringify(entity)), parts)
