import { type Failure, type FailureKind, HTTP_STATUSES } from '@rookery/failures'
import { failureOf, reportFault } from '@rookery/http'
import { LimitExceeded } from '@rookery/http/limits'
import { type Html, html } from '@rookery/pages'
import type { Logger } from '@rookery/runtime'
import type { ErrorRequestHandler } from 'express'
import { faultsOf } from './form-faults.ts'
import { type Frame, sendView } from './layout.ts'
import type { Texts } from './texts/index.ts'
import type { Visits } from './visits.ts'

/** The status and the message of a failure that does not belong to a form. */
const FAULTS: Record<FailureKind, readonly [number, keyof Texts['faults']]> = {
  malformed: [400, 'invalid'],
  unauthenticated: [403, 'forbidden'],
  forbidden: [403, 'forbidden'],
  not_found: [404, 'notFound'],
  conflict: [409, 'invalid'],
  invalid: [422, 'invalid'],
  exhausted: [429, 'throttled'],
  unavailable: [503, 'unavailable'],
  broken: [500, 'broken'],
}

/** The message for a failure of invalid values, if there is one. */
const wordsOf = (frame: Frame, { kind, message }: Failure): string | undefined => {
  if (kind !== 'invalid') return undefined
  const said = faultsOf({ status: HTTP_STATUSES[kind], error: message, values: {} }, frame).map(({ words }) => words)
  return said.includes(frame.texts.wrong.other) ? undefined : said.join(' ')
}

const faultPart = (frame: Frame, { title, text }: { title: string; text: string }, failure: Failure): Html => {
  const { root, texts } = frame
  const isAboutValues = failure.kind === 'invalid' || failure.kind === 'malformed'
  const name = root === '/admin' ? texts.sections.start : texts.sections.settings
  return html`<h1>${title}</h1><p class="lead">${wordsOf(frame, failure) ?? text}</p>${isAboutValues && html`<p class="technical">${failure.message}</p>`}
<p class="foot"><a href="${root}">${name}</a></p>`
}

/** The error handler: answers with a page that explains the failure. */
export const faultPages = ({ visits, log }: { visits: Visits; log: Logger }): ErrorRequestHandler => {
  return (error, request, response, _next) => {
    if (response.headersSent) return void response.destroy()
    const frame = visits.frameOf(request)
    const { faults } = frame.texts
    if (error instanceof LimitExceeded) response.setHeader('Retry-After', String(error.retryAfterSeconds))
    else reportFault(log, error, response)
    const [status, fault] = error instanceof LimitExceeded ? ([429, 'throttled'] as const) : FAULTS[failureOf(error).kind]
    sendView(response, frame, { title: faults[fault].title, body: faultPart(frame, faults[fault], failureOf(error)) }, status)
  }
}
