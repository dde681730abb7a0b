export { bytesOf } from './bytes-of.ts'
export { type Cache, type CachePool, type CacheUsage, cachePool } from './cache-pool.ts'
export { onceEach } from './once-each.ts'
export { ownBytes } from './own-bytes.ts'
