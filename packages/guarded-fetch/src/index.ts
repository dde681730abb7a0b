export { decodeText } from './charset.ts'
export { FetchError, type FetchFault } from './fetch-error.ts'
export { type Fetched, type FetchRequest, type GuardedFetch, guardedFetch, type Resolve } from './guarded-fetch.ts'
export type { MayConnect } from './public-address.rules.ts'
