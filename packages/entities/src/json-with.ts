const NULL = Buffer.from('null')
const CLOSE = Buffer.from('}')

/** The JSON of an object, that is not empty, with further keys whose values are JSON already; what is undefined is null. */
export const jsonWith = (entity: object, parts: Readonly<Record<string, Buffer | undefined>>): Buffer =>
  Buffer.concat([
    Buffer.from(JSON.stringify(entity).slice(0, -1)),
    ...Object.entries(parts).flatMap(([key, json]) => [Buffer.from(`,${JSON.stringify(key)}:`), json ?? NULL]),
    CLOSE,
  ])
