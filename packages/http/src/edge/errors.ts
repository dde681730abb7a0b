import { asFailure, bearerChallenge, Failure, HTTP_STATUSES, type Violation } from '@rookery/failures'
import type { ErrorRequestHandler, Response } from 'express'
import type { EdgeLog } from './arrive.ts'
import { stateOf } from './state.ts'

/** Headers of JSON answers, which are not cached by default. */
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

/** An error as a failure that the caller may see; a path that cannot be decoded is not found. */
export const failureOf = (error: unknown): Failure =>
  error instanceof URIError ? new Failure('not_found', 'Not Found', { cause: error }) : asFailure(error)

/** Logs an unexpected error. */
export const reportFault = (log: EdgeLog, error: unknown, response: Response): void => {
  const isExpected = failureOf(error).kind !== 'broken' && (error instanceof Failure || error instanceof URIError)
  if (!isExpected) log.error({ err: error, request: stateOf(response).id }, 'unhandled error in request')
}

/** The answer to an error: the status of its kind, and JSON without its cause (spec, Errors). */
export const failureAnswer = (error: unknown): { status: number; headers: Record<string, string>; body: Buffer } => {
  const { kind, message, violations } = failureOf(error)
  const status = HTTP_STATUSES[kind]
  return {
    status,
    headers: status === 401 ? { 'WWW-Authenticate': bearerChallenge(message) } : {},
    body: Buffer.from(JSON.stringify({ error: message, ...(violations.length > 0 ? { details: detailsOf(violations) } : {}) })),
  }
}

/** Answers with an error as the API writes it. */
const sendFailure = (error: unknown, response: Response, headers: Readonly<Record<string, string>> = JSON_HEADERS): void => {
  const { status, headers: own, body } = failureAnswer(error)
  response.writeHead(status, { ...headers, ...own, 'Content-Length': body.length })
  response.end(body)
}

/** The error handler of an edge for programs: errors as JSON, with these headers. An answer that has begun is cut off. */
export const jsonErrors =
  (log: EdgeLog, headers?: Readonly<Record<string, string>>): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    reportFault(log, error, response)
    if (response.headersSent) response.destroy()
    else sendFailure(error, response, headers)
  }
