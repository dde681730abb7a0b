import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'

const arrivals = new WeakMap<IncomingMessage, number>()

/** Remembers when a request came, before anything waits. */
export const noteArrival: RequestHandler = (request, _response, next) => {
  arrivals.set(request, performance.now())
  next()
}

/** When a request came, by `performance.now()` in milliseconds. */
export const arrivalOf = (request: IncomingMessage): number => arrivals.get(request) ?? performance.now()
