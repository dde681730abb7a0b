import type { IncomingMessage, ServerResponse } from 'node:http'
import { RATE_LIMIT_HEADERS } from '@rookery/http/limits'

/** Headers of every API answer: readable from any origin, kept by no cache unless it says so (beyond-the-spec 3.4). */
const FIXED: Record<string, string> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': `Link, ${RATE_LIMIT_HEADERS}, X-Request-Id`,
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Content-Type': 'application/json; charset=utf-8',
  Vary: 'Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
}

/** Sends JSON, or a Buffer that is JSON already unless its headers say what else it is. */
export const answer = (response: ServerResponse, given: { status: number; body: unknown; headers: Record<string, string> }): void => {
  const bytes = Buffer.isBuffer(given.body) ? given.body : Buffer.from(JSON.stringify(given.body))
  response.writeHead(given.status, { ...FIXED, 'Content-Length': bytes.length, ...given.headers })
  response.end(bytes)
}

/** Answers a browser that asks what it may send from another origin: anything. Costs no rate limit and needs no token. */
export const answerPreflight = (request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    // `*` would not cover Authorization.
    'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? 'Authorization, Content-Type, Idempotency-Key',
    'Access-Control-Max-Age': '86400',
    Vary: 'Access-Control-Request-Headers',
  })
  response.end()
}
