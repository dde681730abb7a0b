import type { IncomingMessage } from 'node:http'
import { notFound } from '@rookery/failures'
import { callOf, failureOf, reportFault } from '@rookery/http'
import type { RouteLimits } from '@rookery/http/limits'
import { pagePolicy, preferredLanguage, renderDocument } from '@rookery/pages'
import type { Logger } from '@rookery/runtime'
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import type { Clients } from '../clients.ts'
import { type Frame, faultPage, type Page } from './page.ts'
import { type PageDeps, readPost, readProfile, readWelcome } from './read-page.ts'
import { PUBLIC_STYLE } from './style.ts'
import { TEXTS } from './texts.ts'

/** Paths that programs ask for, also when they say that they take HTML. */
const OF_PROGRAMS = /^\/(?:api|\.well-known|nodeinfo|health|avatars|headers)(?:\/|$)/

/** Whether a request wants a page rather than what the API says: a browser's. The page at `/` is for every caller. */
const wantsPage = ({ method, path, headers: { accept = '' } }: Request): boolean => {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (path === '/') return true
  return !OF_PROGRAMS.test(path) && /\btext\/html\b/i.test(accept) && !/\bapplication\/(?:\w+\+)?json\b/i.test(accept)
}

type Deps = { clients: Clients; limits: RouteLimits; log: Logger }

/** The page that says what went wrong. */
const pageOfFailure = (error: unknown, { texts }: Frame): Page => {
  const { kind } = failureOf(error)
  if (kind === 'not_found') return faultPage(404, texts.notFound)
  if (kind === 'exhausted') return faultPage(429, texts.throttled)
  if (kind === 'unavailable') return faultPage(503, texts.unavailable)
  return faultPage(500, texts.fault)
}

const send = (response: Response, frame: Frame, page: Page) => {
  const { language, host } = frame
  const styles = [PUBLIC_STYLE]
  const document = Buffer.from(renderDocument({ language, host, styles, ...page }))
  response.writeHead(page.status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': document.length,
    'Content-Security-Policy': pagePolicy({ styles, files: page.files ?? [] }),
    'Cache-Control': 'private, no-store',
    'Content-Language': language,
    'Referrer-Policy': 'same-origin',
    Vary: 'Accept, Accept-Language',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  })
  response.end(document)
}

type Read = (request: Request, deps: PageDeps) => Promise<Page>

/** Public pages for browsers: profiles, posts and what this server is. They show what the API shows to callers without a token, and no more. */
export const servePages = ({ clients, limits, log }: Deps): RequestHandler => {
  const { baseUrl } = clients.config
  const { host } = new URL(baseUrl)
  const frameOf = ({ headers }: IncomingMessage): Frame => {
    const language = preferredLanguage(headers['accept-language'])
    return { language, texts: TEXTS[language], host, baseUrl }
  }
  const page =
    (read: Read): RequestHandler =>
    async (request, response) => {
      const frame = frameOf(request)
      send(response, frame, await read(request, { call: callOf(response), frame, clients }))
    }
  const failed: ErrorRequestHandler = (error, request, response, _next) => {
    reportFault(log, error, response)
    const frame = frameOf(request)
    if (response.headersSent) response.destroy()
    else send(response, frame, pageOfFailure(error, frame))
  }
  const post = page(({ params }, deps) => readPost(params, deps))
  const profile = page(({ params }, deps) => readProfile(params, deps))
  const router = Router({ caseSensitive: true })
    .use(limits.on('address'))
    .get(
      '/',
      page((_request, deps) => readWelcome(deps)),
    )
    .get('/@:name', profile)
    .get('/@:name/:id', post)
    .get('/users/:name', profile)
    .get('/users/:name/statuses/:id', post)
    .use(({ path }: Request) => {
      throw notFound(`no page at ${path}`)
    }, failed)
  return (request, response, next) => (wantsPage(request) ? router(request, response, next) : next())
}
