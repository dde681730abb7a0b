import type { Request } from 'express'
import { carriedRequest } from '../../oauth/provider/index.ts'
import { type Parameters, textOf } from '../../web/http/index.ts'
import { returnPath } from './return-path.rules.ts'

/** The path to continue at: an app's request or a page of ours, if the address names one. */
export const nextPath = (query: Parameters): string | undefined => carriedRequest(query)?.path ?? returnPath(textOf(query, 'return_to'))

/** The same as parameters, and nothing else of the address. */
export const nextOf = (query: Parameters): Record<string, string> => {
  const returnTo = returnPath(textOf(query, 'return_to'))
  return { ...carriedRequest(query)?.carried, ...(returnTo && { return_to: returnTo }) }
}

/** What an address says about where someone goes on. */
export const nextQuery = (query: Parameters, language: string): URLSearchParams => new URLSearchParams({ lang: language, ...nextOf(query) })

/** The page where a second factor is turned on, from where someone goes on as the address says. */
export const secondFactorPath = (query: Parameters, language: string): string => `/auth/account/second_factor?${nextQuery(query, language)}`

/** Another page with what the address of a request says about where someone goes on. */
export const sameQuery = (request: Request, path: string): string => {
  const query = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'))
  return query.size > 0 ? `${path}?${query}` : path
}
