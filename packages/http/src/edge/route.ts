import type { IncomingMessage } from 'node:http'

// A map of requests that are gone at once costs the collector more than the request itself.
const ROUTE = Symbol('route')

type Named = { [ROUTE]?: string; route?: { path?: unknown }; baseUrl?: string }

/** Says which pattern a request's path was found by; routers of express say it by themselves. */
export const nameRoute = (request: IncomingMessage, route: string): void => {
  ;(request as Named)[ROUTE] = route
}

/** The pattern of a request's path, once it was found, or `other`. */
export const routeOf = (request: IncomingMessage): string => {
  const { [ROUTE]: named, route, baseUrl = '' } = request as Named
  if (named !== undefined) return named
  return typeof route?.path === 'string' ? baseUrl + route.path : 'other'
}
