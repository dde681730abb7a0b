import { Failure, type Violation } from '@rookery/failures'
import type { Request, RequestHandler, Response } from 'express'
import type { Registration, RegistrationSettings, Registrations } from '../../accounts/registrations/index.ts'
import type { Terms } from '../../accounts/terms/index.ts'
import { type Logins, stateOf } from '../../logins/index.ts'
import { type BrowserSessions, carriedRequest } from '../../oauth/provider/index.ts'
import { type Frame, noticePage, signInLink, signUpPage, type Typed } from '../../web/html/index.ts'
import {
  addressOf,
  booleanOf,
  callOf,
  type FormTokens,
  PageFault,
  type Parameters,
  queryOf,
  type RouteLimits,
  sendPage,
  textOf,
} from '../../web/http/index.ts'
import type { MailSent } from './mail-sent.ts'

type Deps = {
  registrations: Registrations
  logins: Logins
  formTokens: FormTokens
  terms: Terms
  mailSent: MailSent
  limits: RouteLimits
  config: RegistrationSettings
}

/** The page of a sign-up: on its own, or for an authorization request. */
type SignUpPlace = {
  frame: Frame
  action: string
  signInPath: string
  /** The invitation used, and the inviter's username, if available. */
  invite?: { code: string; inviter(): Promise<string | undefined> }
  /** Continues with an account that may sign in at once. */
  welcome(accountId: string): Promise<void> | void
}

/** Shows and processes the sign-up form. */
export type SignUp = {
  show(request: Request, response: Response, place: SignUpPlace): Promise<void>
  submit(request: Request, response: Response, place: SignUpPlace): Promise<void>
}

const NOTHING_TYPED: Typed = { username: '', email: '', reason: '', hasAgreed: false }

const registrationOf = (parameters: Parameters, locale: string): Registration => ({
  username: textOf(parameters, 'username') ?? '',
  email: textOf(parameters, 'email') ?? '',
  password: textOf(parameters, 'password') ?? '',
  reason: textOf(parameters, 'reason') ?? '',
  hasAgreed: booleanOf(parameters, 'agreement'),
  locale,
})

type Visit = { request: Request; response: Response; place: SignUpPlace }

const render = async (deps: Deps, { request, response, place }: Visit, typed: Typed, violations: readonly Violation[]) => {
  const [formToken, hasTerms, inviter] = await Promise.all([
    deps.formTokens.issue(request, response),
    deps.terms.hasAny(),
    place.invite?.inviter(),
  ])
  const page = signUpPage(place.frame, {
    ...place,
    formToken,
    hasTerms,
    typed,
    violations,
    inviter,
    needsReason: deps.config.registrations === 'approval' && !place.invite,
  })
  sendPage(response, place.frame, page, violations.length > 0 ? 422 : 200)
}

/** Continues after sign-up, by the state of the login. */
const goOn = async (deps: Deps, { request, response, place }: Visit, accountId: string) => {
  const login = await deps.logins.find(accountId)
  const state = login ? stateOf(login) : 'pending'
  if (state === 'active') await place.welcome(accountId)
  else if (state === 'unconfirmed') await deps.mailSent.show(request, response, place.frame, accountId)
  else sendPage(response, place.frame, noticePage(place.frame.texts.pending))
}

const signUp = async (deps: Deps, visit: Visit) => {
  const { request, response, place } = visit
  const registration = registrationOf(await deps.formTokens.read(request), place.frame.texts.language)
  // Shares the rate limit with sign-ups by the API (spec, Limits).
  await deps.limits.countIn('registrations', request, response)
  const origin = { address: addressOf(request), appId: null, inviteCode: place.invite?.code }
  try {
    const accountId = await deps.registrations.register(callOf(response), registration, origin, async (_tx, id) => id)
    await goOn(deps, visit, accountId)
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'invalid') throw error
    await render(deps, visit, registration, error.violations)
  }
}

/** Registers as the API does, but shows violations beside the fields. */
export const createSignUp = (deps: Deps): SignUp => ({
  async show(request, response, place) {
    if (deps.config.registrations === 'closed' && !place.invite) throw new PageFault('closed', 403)
    await render(deps, { request, response, place }, NOTHING_TYPED, [])
  },
  submit: (request, response, place) => signUp(deps, { request, response, place }),
})

type PagesDeps = { signUp: SignUp; logins: Logins; browserSessions: BrowserSessions; frameOf: (request: Request) => Frame }

const placeOf = (deps: PagesDeps, request: Request, response: Response): SignUpPlace => {
  const frame = deps.frameOf(request)
  const carried = carriedRequest(queryOf(request))
  const query = new URLSearchParams({ lang: frame.texts.language, ...carried?.carried })
  const action = `/auth/sign_up?${query}`
  const place = { frame, action, signInPath: `/auth/sign_in?${query}` }
  if (!carried) return { ...place, welcome: () => sendPage(response, frame, noticePage(frame.texts.ready, signInLink(frame.texts))) }
  const welcome = async (accountId: string) => {
    await deps.logins.recordSignIn(accountId)
    const login = await deps.logins.find(accountId)
    if (login) await deps.browserSessions.open(request, response, login)
    response.redirect(303, carried.path)
  }
  return { ...place, welcome }
}

/** GET and POST /auth/sign_up: on its own, or for an authorization request, which continues afterwards. */
export const signUpPages = (deps: PagesDeps) => {
  const handling =
    (act: keyof SignUp): RequestHandler =>
    (request, response) =>
      deps.signUp[act](request, response, placeOf(deps, request, response))
  return { show: handling('show'), submit: handling('submit') }
}
