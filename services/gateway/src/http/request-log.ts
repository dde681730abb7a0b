import type { Logger } from '@rookery/runtime'

/** One line a request, when it is done: never a query, a body or a token. */
export const logRequest = (
  log: Logger,
  request: { method: string; route: string; status: number; milliseconds: number; requestId: string },
): void => {
  const line = {
    method: request.method,
    route: request.route,
    status: request.status,
    ms: Math.round(request.milliseconds * 10) / 10,
    request: request.requestId,
  }
  if (request.status >= 500) log.warn(line, 'request failed')
  else log.debug(line, 'request')
}
