import type { IncomingMessage } from 'node:http'

// A symbol on the request: entries of a map of short-lived requests would cost the garbage collector more than the request itself.
const ROUTE = Symbol('route')

type Named = { [ROUTE]?: string; route?: { path?: unknown }; baseUrl?: string }

/** Sets the pattern that a request's path matched; express routers set it themselves. */
export const nameRoute = (request: IncomingMessage, route: string): void => {
  ;(request as Named)[ROUTE] = route
}

/** The pattern that the request's path matched, or `other`. */
export const routeOf = (request: IncomingMessage): string => {
  const { [ROUTE]: named, route, baseUrl = '' } = request as Named
  if (named !== undefined) return named
  return typeof route?.path === 'string' ? baseUrl + route.path : 'other'
}
