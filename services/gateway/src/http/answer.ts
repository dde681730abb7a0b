import type { ServerResponse } from 'node:http'
import { ANY_ORIGIN, JSON_HEADERS } from '@rookery/http'

/** Headers of every API answer: readable from any origin, kept by no cache unless it says so (beyond-the-spec 3.4). */
export const API_HEADERS: Readonly<Record<string, string>> = {
  ...ANY_ORIGIN,
  ...JSON_HEADERS,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  Vary: 'Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
}

/** Sends JSON, or a Buffer that is JSON already unless its headers say what else it is. */
export const answer = (
  response: ServerResponse,
  { status, body, headers }: { status: number; body: unknown; headers: Readonly<Record<string, string>> },
): void => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  response.writeHead(status, { ...API_HEADERS, 'Content-Length': bytes.length, ...headers })
  response.end(bytes)
}
