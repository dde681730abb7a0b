import { Failure, type Violation } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { Request, RequestHandler, Response } from 'express'
import type { FormTokens } from '../http/index.ts'
import { booleanOf, callOf, PageFault, type Parameters, readParameters, sendPage, textOf } from '../http/index.ts'
import { type LoginState, type Logins, stateOf } from '../logins/index.ts'
import { type Frame, noticePage, signUpPage, type Typed } from '../pages/index.ts'
import type { Registration, RegistrationSettings, Registrations } from '../registrations/index.ts'
import { type Limit, subscriberOf, type Throttle } from '../throttle.ts'
import type { MailSent } from './mail-sent.ts'

const PER_ADDRESS: Limit = { name: 'sign-up.address', most: 10, windowSeconds: 1800 }

type Given = {
  registrations: Registrations
  logins: Logins
  formTokens: FormTokens
  mailSent: MailSent
  throttle: Throttle
  clock: Clock
  config: RegistrationSettings
}

/** Where a sign-up page stands: alone, or on the way to an app. */
export type SignUpPlace = {
  frame: Frame
  action: string
  signInPath: string | undefined
  /** Goes on with somebody who may sign in at once. */
  welcome(accountId: string): Promise<void> | void
}

/** The sign-up page, wherever it stands. */
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

/** The same registration as the API's, with what is wrong shown beside the fields. */
export const createSignUp = (given: Given): SignUp => {
  const render = async (request: Request, response: Response, place: SignUpPlace, typed: Typed, violations: readonly Violation[]) => {
    const formToken = await given.formTokens.issue(request, response)
    const needsReason = given.config.registrations === 'approval'
    const page = signUpPage(place.frame, { ...place, formToken, typed, violations, needsReason })
    sendPage(response, place.frame, page, violations.length > 0 ? 422 : 200)
  }

  const next = async (request: Request, response: Response, place: SignUpPlace, accountId: string, state: LoginState) => {
    if (state === 'active') return place.welcome(accountId)
    if (state === 'unconfirmed') return given.mailSent.show(request, response, place.frame, accountId)
    sendPage(response, place.frame, noticePage(place.frame.texts.pending))
  }

  const attempt = (call: Call, registration: Registration, address: string) =>
    given.registrations.register(call, registration, { address, appId: null }, async (_tx, accountId) => accountId)

  return {
    async show(request, response, place) {
      if (given.config.registrations === 'closed') throw new PageFault('closed', 403)
      await render(request, response, place, NOTHING_TYPED, [])
    },
    async submit(request, response, place) {
      const parameters = await readParameters(request)
      if (!(await given.formTokens.isRight(request, parameters))) throw new PageFault('stale_form', 403)
      const address = request.ip ?? ''
      const retryAfterSeconds = await given.throttle([{ limit: PER_ADDRESS, subject: subscriberOf(address) }])
      if (retryAfterSeconds !== undefined) throw new PageFault('throttled', 429, { retryAfterSeconds })
      const registration = registrationOf(parameters, place.frame.texts.language)
      try {
        const accountId = await attempt(callOf(response), registration, address)
        const login = await given.logins.find(accountId)
        await next(request, response, place, accountId, login ? stateOf(login) : 'active')
      } catch (error) {
        if (!(error instanceof Failure) || error.kind !== 'invalid') throw error
        await render(request, response, place, registration, error.violations)
      }
    },
  }
}

/** GET and POST /auth/sign_up: for people who come without an app. */
export const signUpAlone = (given: {
  signUp: SignUp
  frameOf: (request: Request) => Frame
}): { show: RequestHandler; submit: RequestHandler } => {
  const placeOf = (request: Request, response: Response): SignUpPlace => {
    const frame = given.frameOf(request)
    const welcome = () => sendPage(response, frame, noticePage(frame.texts.ready))
    return { frame, action: `/auth/sign_up?lang=${frame.texts.language}`, signInPath: undefined, welcome }
  }
  return {
    show: (request, response) => given.signUp.show(request, response, placeOf(request, response)),
    submit: (request, response) => given.signUp.submit(request, response, placeOf(request, response)),
  }
}
