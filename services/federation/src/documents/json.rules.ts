import { excessOf } from '@rookery/http'
import type { JsonObject } from '../contract.ts'

/** More values, and more levels of them, than any document that is meant. */
const BOUNDS = { values: 20_000, levels: 33 }

/** The JSON object that another server sent; undefined for what is none, and for what is nested deeper or holds more than any that is meant. */
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
