const NULL = Buffer.from('null')
const CLOSE = Buffer.from('}')

/** The JSON of a non-empty object, with further keys whose values are already JSON; undefined becomes null. */
export const jsonWith = (entity: object, parts: Readonly<Record<string, Buffer | undefined>>): Buffer =>
  Buffer.concat([
    Buffer.from(JSON.stringify(entity).slice(0, -1)),
    ...Object.entries(parts).flatMap(([key, json]) => [Buffer.from(`,${JSON.stringify(key)}:`), json ?? NULL]),
    CLOSE,
  ])
