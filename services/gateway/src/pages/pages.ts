import type { IncomingMessage } from 'node:http'
import type { Addresses } from '@rookery/entities'
import { notFound } from '@rookery/failures'
import { callOf, failureOf, reportFault } from '@rookery/http'
import type { RouteLimits } from '@rookery/http/limits'
import { chooseLanguage, pagePolicy, renderDocument } from '@rookery/pages'
import type { Logger } from '@rookery/runtime'
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import type { Clients } from '../clients.ts'
import { type Access, admit } from '../http/access.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { type Feed, isFresh, renderFeed } from './feed.ts'
import { createKnownTerms } from './known-terms.ts'
import { type Frame, faultPage, type Page } from './page.ts'
import { siteLinks } from './site.ts'
import { PUBLIC_STYLE } from './style.ts'
import { FEEDS, type FeedRoute, PAGES, type PageRoute } from './table.ts'
import { TEXTS } from './texts/index.ts'

/** Paths for programs, even if they accept HTML. */
const OF_PROGRAMS = /^\/(?:api|\.well-known|nodeinfo|health|avatars|headers|instance|robots\.txt|favicon\.ico|manifest\.json)(?:\/|$)/

/** Feeds: their readers may accept HTML. */
const FEED = /^\/(?:@|tags\/)[^/]+\.rss$/

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`)

/** Paths of pages, which are never answered with JSON of the API. */
const OF_PAGES = PAGES.flatMap(({ paths }) => paths.map(patternOf))

/**
 * Whether a request wants a page rather than the API: a browser's, and where there is a page also that of a program that accepts anything,
 * such as link previews. The page at `/` is for every caller.
 */
const wantsPage = ({ method, path, headers: { accept = '*/*' } }: Request): boolean => {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (path === '/' || FEED.test(path)) return true
  if (OF_PROGRAMS.test(path) || /\bapplication\/(?:\w+\+)?json\b/i.test(accept)) return false
  return /\btext\/html\b/i.test(accept) || (/\*\/\*/.test(accept) && OF_PAGES.some((pattern) => pattern.test(path)))
}

type Deps = { endpoints: readonly Endpoint[]; clients: Clients; limits: RouteLimits; log: Logger }

/** The error page of a failure. */
const pageOfFailure = (error: unknown, frame: Frame): Page => {
  const { texts } = frame
  const { kind } = failureOf(error)
  if (kind === 'unauthenticated') return faultPage(403, texts.closed, frame)
  if (kind === 'not_found') return faultPage(404, texts.notFound, frame)
  if (kind === 'exhausted') return faultPage(429, texts.throttled, frame)
  if (kind === 'unavailable') return faultPage(503, texts.unavailable, frame)
  return faultPage(500, texts.fault, frame)
}

const send = ({ path }: Request, response: Response, { frame, page, hasTerms }: { frame: Frame; page: Page; hasTerms: boolean }) => {
  if (page.location) return void response.writeHead(page.status, { Location: page.location, 'Cache-Control': 'private, no-store' }).end()
  const { language, host } = frame
  const styles = [PUBLIC_STYLE]
  const document = Buffer.from(renderDocument({ language, host, styles, home: '/', foot: siteLinks(frame, { path, hasTerms }), ...page }))
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

/** How long feed readers may cache a feed, in seconds. */
const FEED_SECONDS = 60

const sendFeed = ({ headers }: Request, response: Response, { feed, urls }: { feed: Feed; urls: Addresses }) => {
  const { document, tag, changed } = renderFeed(feed, urls)
  const shared = {
    'Cache-Control': `public, max-age=${FEED_SECONDS}`,
    ETag: tag,
    ...(changed && { 'Last-Modified': changed }),
    ...(!feed.isIndexed && { 'X-Robots-Tag': 'noindex' }),
  }
  if (isFresh(headers, { tag, changed })) return void response.writeHead(304, shared).end()
  response.writeHead(200, {
    ...shared,
    'Content-Type': 'application/rss+xml; charset=utf-8',
    'Content-Length': document.length,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(document)
}

/** The query parameters. */
const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))

/**
 * Serves public pages for browsers: profiles, posts and the server's own pages. They show what the API shows to callers without a token.
 */
export const servePages = ({ endpoints, clients, limits, log }: Deps): RequestHandler => {
  const { baseUrl } = clients.config
  const { host } = new URL(baseUrl)
  const terms = createKnownTerms(clients)
  const frameOf = (request: IncomingMessage): Frame => {
    const language = chooseLanguage(queryOf(request).get('lang'), request.headers['accept-language'])
    return { language, texts: TEXTS[language], host, baseUrl }
  }
  const accessTo = (path: string): Access => {
    const shown = endpoints.find((each) => each.method === 'GET' && each.path === path)
    if (!shown) throw new Error(`a page shows GET ${path}, which is no endpoint`)
    return shown.access
  }
  /** @throws Failure unauthenticated if the server closes the endpoints that the page shows */
  const opening = (shows: readonly string[]) => {
    const accesses = shows.map(accessTo)
    return () => {
      for (const access of accesses) admit(access, undefined, clients.config.restrictions)
    }
  }
  const answerFeed = ({ read, shows }: FeedRoute): RequestHandler => {
    const open = opening(shows)
    return async (request, response) => {
      open()
      const feed = await read(request.params, { call: callOf(response), frame: frameOf(request), clients })
      sendFeed(request, response, { feed, urls: clients.render.urls })
    }
  }
  const answer = ({ read, shows }: PageRoute): RequestHandler => {
    const open = opening(shows)
    return async (request, response) => {
      open()
      const frame = frameOf(request)
      const call = callOf(response)
      const [page, hasTerms] = await Promise.all([read(request.params, { call, frame, clients, query: queryOf(request) }), terms.ask(call)])
      send(request, response, { frame, page, hasTerms })
    }
  }
  const failed: ErrorRequestHandler = (error, request, response, _next) => {
    reportFault(log, error, response)
    const frame = frameOf(request)
    if (response.headersSent) response.destroy()
    else send(request, response, { frame, page: pageOfFailure(error, frame), hasTerms: terms.isKnown() })
  }
  const router = Router({ caseSensitive: true }).use(limits.on('address'))
  for (const feed of FEEDS) for (const path of feed.paths) router.get(path, answerFeed(feed))
  for (const page of PAGES) for (const path of page.paths) router.get(path, answer(page))
  router.use(({ path }: Request) => {
    throw notFound(`no page at ${path}`)
  }, failed)
  return (request, response, next) => (wantsPage(request) ? router(request, response, next) : next())
}
