import { excessOf } from '@rookery/http'
import type { JsonObject } from '../contract.ts'

/** More values and levels than any legitimate document has. */
const BOUNDS = { values: 20_000, levels: 33 }

/** Parses a JSON object from another server; undefined for anything else, and for objects that exceed the bounds. */
export const jsonObjectOf = (bytes: Buffer): JsonObject | undefined => {
  const text = bytes.toString()
  if (excessOf(text, BOUNDS)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
