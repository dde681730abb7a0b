import { chooseLanguage } from '@rookery/pages'
import type { ErrorRequestHandler, Request, Response } from 'express'
import { type Frame, faultPage, layout, type Page, textsOf } from '../html/index.ts'
import { PageFault, pageFaultOf } from './fault.ts'
import { queryOf } from './parameters.ts'

/** The requested language; undefined if the query is malformed, because error pages need a language too. */
const askedLanguage = (request: Request): unknown => {
  try {
    return queryOf(request)['lang']
  } catch {
    return undefined
  }
}

/** The frame of a page, in the language of `lang` or of the browser's preference. */
export const frameOf = (request: Request, host: string, lang: unknown = askedLanguage(request)): Frame => ({
  texts: textsOf(chooseLanguage(lang, request.headers['accept-language'])),
  host,
})

/** Sends a page. */
export const sendPage = (response: Response, frame: Frame, page: Page, status = 200): void => {
  response.status(status).type('html').send(layout(frame, page))
}

/** Sends a fault: as a page to a browser, as JSON to other clients. */
const sendFault = (request: Request, response: Response, fault: PageFault, frame: Frame): void => {
  if (fault.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(fault.retryAfterSeconds))
  if (request.accepts('json', 'html') === 'html') {
    sendPage(response, frame, faultPage(frame, { name: fault.fault, code: fault.oauth?.code }), fault.status)
  } else if (fault.oauth) {
    response.status(fault.status).json({ error: fault.oauth.code, error_description: fault.oauth.description })
  } else {
    // Programs get the message of the API (spec, Limits 2).
    const error = fault.fault === 'throttled' ? 'Too many requests' : frame.texts.faults[fault.fault].title
    response.status(fault.status).json({ error })
  }
}

/** The error handler of pages: every error becomes a page with its status, and unexpected ones are reported. */
export const pageErrors =
  (given: { host: string; onFault: (error: unknown) => void }): ErrorRequestHandler =>
  (error, request, response, next) => {
    if (response.headersSent) return next(error)
    const expected = pageFaultOf(error)
    if (!expected) given.onFault(error)
    sendFault(request, response, expected ?? new PageFault('server_error', 500), frameOf(request, given.host))
  }
