import { DocumentError } from '../contract.ts'

/** The result of work; undefined where a document is at fault rather than this server. */
export const orUndefined = async <Value>(work: Promise<Value>): Promise<Value | undefined> =>
  work.catch((error) => {
    if (error instanceof DocumentError) return undefined
    throw error
  })
