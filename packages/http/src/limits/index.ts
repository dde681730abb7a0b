export { clientAddressReader, countedAddress, proxyTrust } from './client-address.ts'
export {
  type CountedRequest,
  createRateLimiter,
  type Hit,
  RATE_LIMIT_HEADERS,
  type RateLimiter,
  type RateLimitStatus,
  rateLimitHeaders,
  retryAfterSeconds,
} from './rate-limiter.ts'
export { type LimitName, RATE_LIMITS, type RateLimit } from './table.ts'
