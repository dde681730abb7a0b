import { DocumentError } from '../contract.ts'

/** The result of work; undefined if it fails with a DocumentError. */
export const orUndefined = async <Value>(work: Promise<Value>): Promise<Value | undefined> =>
  work.catch((error) => {
    if (error instanceof DocumentError) return undefined
    throw error
  })
