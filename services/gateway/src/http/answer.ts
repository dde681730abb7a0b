import type { ServerResponse } from 'node:http'
import { ANY_ORIGIN, JSON_HEADERS } from '@rookery/http'

/** Headers of every API answer: readable from any origin, not cached by default (beyond-the-spec 3.4). */
export const API_HEADERS: Readonly<Record<string, string>> = {
  ...ANY_ORIGIN,
  ...JSON_HEADERS,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  Vary: 'Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
}

/** The answer to a request, with its additional headers: JSON, unless they set another type. */
export type Answer = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }

/** Sends an answer. */
export const answer = (response: ServerResponse, { status, body, headers }: Answer): void => {
  response.writeHead(status, { ...API_HEADERS, 'Content-Length': body.length, ...headers })
  response.end(body)
}
