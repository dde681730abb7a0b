import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Failure } from '@rookery/failures'
import { clientAddressReader, rateLimitHeaders } from '@rookery/http/limits'
import { pagePolicy, preferredLanguage, renderDocument } from '@rookery/pages'
import { nameRoute } from '@rookery/runtime'
import type { AppGiven } from '../http/app.ts'
import { callOf } from '../http/call.ts'
import { logRequest } from '../http/request-log.ts'
import { type Frame, faultPage, type Page } from './page.ts'
import { readPage } from './read-page.ts'
import { PUBLIC_STYLE } from './style.ts'
import { TEXTS } from './texts.ts'

/** Paths that programs ask for, also when they say that they take HTML. */
const OF_PROGRAMS = /^\/(?:api|\.well-known|nodeinfo|health|avatars|headers)(?:\/|$)/

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0]!

/** Whether a request wants a page rather than what the API says: a browser's. The page at `/` is for whoever asks. */
export const wantsPage = (request: IncomingMessage): boolean => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = pathOf(request)
  const accept = request.headers.accept ?? ''
  if (path === '/') return true
  return !OF_PROGRAMS.test(path) && /\btext\/html\b/i.test(accept) && !/\bapplication\/(?:\w+\+)?json\b/i.test(accept)
}

const ROUTES = { '/': '/', profile: '/@:name', status: '/@:name/:id', none: 'unknown' }
const routeOf = (path: string) => {
  if (path === '/') return ROUTES['/']
  if (/^\/(?:@|users\/)[^/]+\/?$/.test(path)) return ROUTES.profile
  return path.startsWith('/@') || path.startsWith('/users/') ? ROUTES.status : ROUTES.none
}

type Given = Pick<AppGiven, 'clients' | 'limiter' | 'log'>

/** The page that says what went wrong. */
const faultOf = (error: unknown, { texts }: Frame): Page => {
  const kind = error instanceof Failure ? error.kind : undefined
  if (kind === 'not_found') return faultPage(404, texts.notFound)
  if (kind === 'exhausted') return faultPage(429, texts.throttled)
  if (kind === 'unavailable') return faultPage(503, texts.unavailable)
  return faultPage(500, texts.fault)
}

const send = (request: IncomingMessage, response: ServerResponse, frame: Frame, page: Page, headers: Record<string, string>) => {
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
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : document)
}

/** Public pages for browsers: profiles, posts and what this server is. They show what the API shows to whoever has no token, and no more. */
export const createPages = ({ clients, limiter, log }: Given): RequestListener => {
  const { baseUrl, trustedProxies } = clients.config
  const addressOf = clientAddressReader(trustedProxies)
  const { host } = new URL(baseUrl)

  const limited = async (request: IncomingMessage, headers: Record<string, string>) => {
    const status = await limiter.countRequest({ address: addressOf(request) })
    if (!status) return
    Object.assign(headers, rateLimitHeaders(status))
    if (status.isExceeded) throw new Failure('exhausted', 'Too many requests')
  }

  return async (request, response) => {
    const startedAt = performance.now()
    const id = randomUUID()
    const language = preferredLanguage(request.headers['accept-language'])
    const frame: Frame = { language, texts: TEXTS[language], host, baseUrl }
    const headers: Record<string, string> = { 'X-Request-Id': id }
    const path = pathOf(request)
    const route = routeOf(path)
    if (route !== ROUTES.none) nameRoute(request, route)
    response.once('finish', () => {
      const milliseconds = performance.now() - startedAt
      logRequest(log, { method: request.method ?? '', route, status: response.statusCode, milliseconds, requestId: id })
    })
    try {
      await limited(request, headers)
      const page = await readPage(path, { call: callOf(id, response), frame, clients })
      send(request, response, frame, page, headers)
    } catch (error) {
      const page = faultOf(error, frame)
      if (page.status === 500) log.error({ err: error, request: id }, 'a page failed by a fault of ours')
      if (response.headersSent) response.destroy()
      else send(request, response, frame, page, headers)
    }
  }
}
