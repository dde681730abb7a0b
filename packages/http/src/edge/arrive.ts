import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import { routeOf } from './route.ts'
import { type RequestState, stateOf } from './state.ts'

/** A logger of an object and a fixed sentence. */
export type EdgeLog = Record<'debug' | 'warn' | 'error', (line: object, sentence: string) => void>

/** Logs one line per finished request: never a query, a body or a token. */
const logRequest = (log: EdgeLog, request: Request, response: Response): void => {
  const { id, arrivedAt } = stateOf(response)
  const line = {
    method: request.method,
    route: routeOf(request),
    status: response.statusCode,
    ms: Math.round((performance.now() - arrivedAt) * 10) / 10,
    request: id,
  }
  if (response.statusCode >= 500) log.warn(line, 'request failed')
  else log.debug(line, 'request')
}

/** Gives a request an id, which its answer and its log line carry. */
export const arrive = (request: Request, response: Response, log: EdgeLog): void => {
  const id = randomUUID()
  const state: RequestState = {
    id,
    arrivedAt: performance.now(),
    headers: { 'X-Request-Id': id },
    accountId: '',
    rateLimit: undefined,
  }
  response.locals = { state }
  response.once('finish', () => logRequest(log, request, response))
}
