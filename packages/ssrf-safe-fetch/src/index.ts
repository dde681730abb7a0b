export { decodeText } from './charset.ts'
export { FetchError } from './fetch-error.ts'
export { type MayConnect, mayConnectTo } from './public-address.rules.ts'
export { type Fetched, type GuardedFetch, guardedFetch, type Resolve } from './ssrf-safe-fetch.ts'
