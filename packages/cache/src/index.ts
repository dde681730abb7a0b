export { bytesOf } from './bytes-of.ts'
export { type Cache, type CachePool, type CacheUsage, cachePool } from './cache-pool.ts'
export { ownBytes } from './own-bytes.ts'
