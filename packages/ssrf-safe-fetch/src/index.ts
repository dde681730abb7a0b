export { decodeText } from './charset.ts'
export { FetchError, type FetchFault } from './fetch-error.ts'
export { type MayConnect, mayConnectTo } from './public-address.rules.ts'
export { type Fetched, type FetchRequest, type GuardedFetch, guardedFetch, type Resolve } from './ssrf-safe-fetch.ts'
