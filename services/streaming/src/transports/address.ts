import type { IncomingMessage } from 'node:http'
import type { ChannelRequest } from '../channels/names.ts'

/** The path and query of a request. */
export type Address = { readonly path: string; readonly query: URLSearchParams }

/** The path without trailing slashes (beyond-the-spec 0.1), and the query. */
export const addressOf = ({ url = '/' }: IncomingMessage): Address => {
  const [path = '', ...query] = url.split('?')
  return { path: path.replace(/\/+$/, ''), query: new URLSearchParams(query.join('?')) }
}

/** The stream that query parameters request. */
export const requestedIn = (query: URLSearchParams, stream: string | null): ChannelRequest => ({
  stream: stream ?? undefined,
  tag: query.get('tag') ?? undefined,
  list: query.get('list') ?? undefined,
})
