import { asFailure, bearerChallenge, Failure, HTTP_STATUSES, type Violation } from '@rookery/failures'
import type { ErrorRequestHandler, Response } from 'express'
import type { EdgeLog } from './arrive.ts'
import { stateOf } from './state.ts'

/** Headers of JSON that no cache keeps unless it says so. */
export const JSON_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'private, no-store',
  'Content-Type': 'application/json; charset=utf-8',
}

type Details = Record<string, { error: string; description: string }[]>

const detailsOf = (violations: readonly Violation[]): Details => {
  const details: Details = {}
  for (const { field, code, description } of violations) details[field] = [...(details[field] ?? []), { error: code, description }]
  return details
}

/** What was thrown as a failure that its caller may see; a path that cannot be decoded names nothing. */
export const failureOf = (error: unknown): Failure =>
  error instanceof URIError ? new Failure('not_found', 'Not Found', { cause: error }) : asFailure(error)

/** Reports an unexpected error. */
export const reportFault = (log: EdgeLog, error: unknown, response: Response): void => {
  const isExpected = failureOf(error).kind !== 'broken' && (error instanceof Failure || error instanceof URIError)
  if (!isExpected) log.error({ err: error, request: stateOf(response).id }, 'unhandled error in request')
}

/** What is answered to a failure: its status by the one table, and JSON that says nothing of its cause (spec, Errors). */
export const failureAnswer = (error: unknown): { status: number; headers: Record<string, string>; body: Buffer } => {
  const { kind, message, violations } = failureOf(error)
  const status = HTTP_STATUSES[kind]
  return {
    status,
    headers: status === 401 ? { 'WWW-Authenticate': bearerChallenge(message) } : {},
    body: Buffer.from(JSON.stringify({ error: message, ...(violations.length > 0 ? { details: detailsOf(violations) } : {}) })),
  }
}

/** Answers with a failure as the API has it. */
const sendFailure = (error: unknown, response: Response, headers: Readonly<Record<string, string>> = JSON_HEADERS): void => {
  const { status, headers: own, body } = failureAnswer(error)
  response.writeHead(status, { ...headers, ...own, 'Content-Length': body.length })
  response.end(body)
}

/** The last handler of an edge for programs: failures as JSON, with these headers. An answer that has begun is cut off. */
export const jsonErrors =
  (log: EdgeLog, headers?: Readonly<Record<string, string>>): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    reportFault(log, error, response)
    if (response.headersSent) response.destroy()
    else sendFailure(error, response, headers)
  }
