/** V8's overhead beside the content, in bytes, measured with Node 26 on 64 bits. */
const OBJECT = 32
const PROPERTY = 8
const STRING = 24
const ENTRY = 48
/** Overhead of a Buffer: the object, its ArrayBuffer and the allocator's share. */
const BUFFER = 320

const sum = (values: Iterable<unknown>): number => {
  let total = 0
  for (const value of values) total += bytesOf(value)
  return total
}

/**
 * An estimate of the bytes that a value keeps alive: objects, arrays, Maps, Sets, strings and binary data. A value that occurs twice counts
 * twice; cyclic values are not allowed. Functions count as zero.
 */
export const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return STRING + Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 0
  if (ArrayBuffer.isView(value)) return BUFFER + value.buffer.byteLength
  if (Array.isArray(value)) return OBJECT + PROPERTY * value.length + sum(value)
  if (value instanceof Set) return OBJECT + ENTRY * value.size + sum(value)
  if (value instanceof Map) return OBJECT + ENTRY * value.size + sum(value.keys()) + sum(value.values())
  const values = Object.values(value)
  return OBJECT + PROPERTY * values.length + sum(values)
}
