import type { Request } from 'express'
import { carriedRequest } from '../../oauth/provider/index.ts'
import { type Parameters, textOf } from '../../web/http/index.ts'
import { returnPath } from './return-path.rules.ts'

/** The path to continue with: an authorization request or a page of this server, if the URL has one. */
export const nextPath = (query: Parameters): string | undefined => carriedRequest(query)?.path ?? returnPath(textOf(query, 'return_to'))

/** Only the parameters of the destination. */
export const nextOf = (query: Parameters): Record<string, string> => {
  const returnTo = returnPath(textOf(query, 'return_to'))
  return { ...carriedRequest(query)?.carried, ...(returnTo && { return_to: returnTo }) }
}

/** The query that carries the destination on. */
export const nextQuery = (query: Parameters, language: string): URLSearchParams => new URLSearchParams({ lang: language, ...nextOf(query) })

/** The page that turns on a second factor, and then continues to the destination. */
export const secondFactorPath = (query: Parameters, language: string): string => `/auth/account/second_factor?${nextQuery(query, language)}`

/** A path with the whole query of a request. */
export const sameQuery = (request: Request, path: string): string => {
  const query = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'))
  return query.size > 0 ? `${path}?${query}` : path
}
