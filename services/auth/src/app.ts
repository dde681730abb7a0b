import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { bearerChallenge, Failure, isOutage } from '@rookery/failures'
import { createEdge, type EdgeLog, isDecodable } from '@rookery/http'
import { LimitExceeded } from '@rookery/http/limits'
import { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express'
import { isWrongCredential, OAuthFault } from './oauth/grants/index.ts'
import type { AccountPages } from './settings/pages/index.ts'
import { crossOrigin, guarded, PASSKEYS_SCRIPT, PageFault, pageErrors, type RouteLimits, securityHeaders } from './web/http/index.ts'

type Pages = { show: RequestHandler; submit: RequestHandler }

type Deps = {
  authorize: RequestHandler
  resume: RequestHandler
  nativeCode: RequestHandler
  token: RequestHandler
  revoke: RequestHandler
  metadata: RequestHandler
  interactions: Router
  signUp: Pages
  invite: Pages
  confirmation: Pages
  resend: RequestHandler
  /** Appeals of people who cannot sign in. */
  appeal: RequestHandler
  account: AccountPages
  host: string
  limits: RouteLimits
  /** Refuses callers from networks without access. */
  refuseBarred: RequestHandler
  trustedProxies: readonly string[]
  log: EdgeLog
  onFault: (error: unknown) => void
}

/** The HTTP status and OAuth error of a caller's fault; undefined for a fault of this server. */
const callersFault = (error: unknown): { status: number; fault: OAuthFault } | undefined => {
  if (error instanceof OAuthFault) return { status: error.status, fault: error }
  if (!(error instanceof Failure)) return undefined
  const { kind, message } = error
  if (kind === 'malformed' || kind === 'invalid') return { status: 400, fault: new OAuthFault('invalid_request', message) }
  return kind === 'forbidden' ? { status: 403, fault: new OAuthFault('access_denied', message) } : undefined
}

const sendFault = (response: Response, { status, fault }: { status: number; fault: OAuthFault }): void => {
  if (status === 401) response.setHeader('WWW-Authenticate', bearerChallenge(fault.message, fault.code))
  response.status(status).json(fault)
}

/** The error handler of endpoints for programs: always JSON with an OAuth error. */
const oauthErrors =
  (onFault: (error: unknown) => void): ErrorRequestHandler =>
  (error, _request, response, next) => {
    if (response.headersSent) return next(error)
    if (error instanceof PageFault) return next(error)
    if (error instanceof LimitExceeded) {
      response.setHeader('Retry-After', String(error.retryAfterSeconds))
      return void response.status(429).json({ error: 'Too many requests' })
    }
    const answer = callersFault(error)
    if (answer) return sendFault(response, answer)
    onFault(error)
    const fault = new OAuthFault(isOutage(error) ? 'temporarily_unavailable' : 'server_error')
    response.status(fault.status).json(fault)
  }

const isWrongCode = (error: unknown) => error instanceof PageFault && error.fault === 'invalid_grant'

const METADATA = '/.well-known/oauth-authorization-server'

const oauthRoutes = (app: Router, deps: Deps) => {
  app.post('/oauth/token', guarded(deps.limits, deps.token, isWrongCredential))
  app.post('/oauth/revoke', guarded(deps.limits, deps.revoke, isWrongCredential))
  app.get(METADATA, deps.metadata)
  app.get('/oauth/authorize', deps.authorize)
  app.get('/oauth/authorize/native', guarded(deps.limits, deps.nativeCode, isWrongCode))
  app.get('/oauth/authorize/:uid', deps.resume)
  app.use(deps.interactions)
}

const pairsOf =
  (app: Router) =>
  (path: string, { show, submit }: Pages) =>
    app.get(path, show).post(path, submit)

const accountRoutes = (app: Router, pages: AccountPages) => {
  const page = pairsOf(app)
  page('/auth/sign_in', pages.signIn)
  page('/auth/sign_in/code', pages.signIn.code)
  app.post('/auth/sign_in/passkey', pages.signIn.passkey)
  page('/auth/sign_out', pages.signOut)
  app.get('/auth/account', pages.overview.show)
  app.post('/auth/account/apps', pages.overview.endApp)
  app.post('/auth/account/browsers', pages.overview.endBrowser)
  app.post('/auth/account/everywhere', pages.overview.endEverything)
  page('/auth/account/email', pages.changeEmail)
  page('/auth/account/email/confirm', pages.confirmChange)
  page('/auth/account/password', pages.changePassword)
  page('/auth/account/second_factor', pages.secondFactor)
  app.get('/auth/account/passkeys', pages.passkeys.list.show)
  page('/auth/account/passkeys/new', pages.passkeys.add)
  page('/auth/account/passkeys/remove', pages.passkeys.remove)
  page('/auth/account/data', pages.data)
  app.get('/auth/account/data/archive.zip', pages.data.archive)
  app.get('/auth/account/data/imports/:id/failures.csv', pages.data.failures)
  app.get('/auth/account/data/:file', pages.data.file)
  page('/auth/account/invites', pages.invites)
  app.post('/auth/account/invites/end', pages.invites.end)
  page('/auth/account/mail', pages.mail)
  page('/auth/mail/unsubscribe', pages.unsubscribe)
  app.get('/disputes/strikes', pages.strikes.list)
  page('/disputes/strikes/:id', pages.strikes)
  page('/auth/account/move', pages.move)
  app.post('/auth/account/move/undo', pages.move.undo)
  app.post('/auth/account/move/aliases', pages.move.addAlias)
  app.post('/auth/account/move/aliases/remove', pages.move.removeAlias)
  page('/auth/account/delete', pages.deleteAccount)
  page('/auth/password/reset', pages.reset)
  page('/auth/password/new', pages.forgotten)
}

const pageRoutes = (app: Router, deps: Deps) => {
  const page = pairsOf(app)
  app.get(PASSKEYS_SCRIPT, sendScript)
  page('/auth/sign_up', deps.signUp)
  page('/invite/:code', deps.invite)
  page('/auth/confirmation', deps.confirmation)
  app.post('/auth/confirmation/resend', deps.resend)
  app.post('/disputes/appeal', deps.appeal)
  accountRoutes(app, deps.account)
}

const SCRIPT = readFileSync(new URL('web/script/passkeys.js', import.meta.url))

const sendScript: RequestHandler = (_request, response) => {
  response.setHeader('Cache-Control', 'public, max-age=3600')
  response.type('text/javascript').send(SCRIPT)
}

const refuseUndecodable: RequestHandler = (request, _response, next) => {
  next(isDecodable(request.path) ? undefined : new PageFault('not_found', 404))
}

const noPage: RequestHandler = () => {
  throw new PageFault('not_found', 404)
}

/** All public routes of this service. */
export const createApp = (deps: Deps): RequestListener => {
  const { log, trustedProxies, limits, host, onFault } = deps
  const router = Router()
  router.use(securityHeaders, deps.refuseBarred)
  router.use(['/oauth/token', '/oauth/revoke'], crossOrigin('POST'))
  router.use(METADATA, crossOrigin('GET'))
  router.use(limits.on('address'), refuseUndecodable)
  oauthRoutes(router, deps)
  pageRoutes(router, deps)
  router.use(noPage)
  router.use(['/oauth/token', '/oauth/revoke', METADATA], oauthErrors(onFault))
  return createEdge({ log, trustedProxies, routes: [router], errors: pageErrors({ host, onFault }) }).answer
}
