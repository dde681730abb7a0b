import type { IncomingMessage } from 'node:http'

const routes = new WeakMap<IncomingMessage, string>()

/** Says which pattern a request's path was found by; routers of express say it by themselves. */
export const nameRoute = (request: IncomingMessage, route: string): void => void routes.set(request, route)

type ByExpress = { route?: { path?: unknown }; baseUrl?: string }

/** The pattern of a request's path, once it was found, or `other`. */
export const routeOf = (request: IncomingMessage): string => {
  const named = routes.get(request)
  if (named !== undefined) return named
  const { route, baseUrl = '' } = request as ByExpress
  return typeof route?.path === 'string' ? baseUrl + route.path : 'other'
}
