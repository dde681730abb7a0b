/** What V8 needs beside the content, in bytes: measured with Node 26 on 64 bits. */
const OBJECT = 32
const PROPERTY = 8
const STRING = 24
const ENTRY = 48
/** A Buffer, its ArrayBuffer and what the allocator adds. */
const BUFFER = 320

const sum = (values: Iterable<unknown>): number => {
  let total = 0
  for (const value of values) total += bytesOf(value)
  return total
}

/**
 * About what a value keeps alive, in bytes: objects, arrays, Maps, Sets, texts and bytes. A value that occurs twice counts twice, one that
 * refers to itself must not be given. Functions count nothing.
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
