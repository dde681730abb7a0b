import type { Violation } from '@rookery/failures'
import type { Request, Response } from 'express'
import type { Registrations } from '../../accounts/registrations/index.ts'
import type { Passwords } from '../../credentials/passwords/index.ts'
import { type Frame, forgotPage, noticePage, resetPage } from '../../web/html/index.ts'
import { addressOf, type FormTokens, PageFault, queryOf, type RouteLimits, sendPage, textOf } from '../../web/http/index.ts'
import type { KeptDestination } from '../destination/index.ts'
import { nextQuery } from '../destination/index.ts'
import type { Pages } from './visitor.ts'

type Deps = {
  passwords: Passwords
  registrations: Registrations
  formTokens: FormTokens
  destination: KeptDestination
  limits: RouteLimits
  frameOf: (request: Request) => Frame
  /** Whether links can be mailed. */
  canSendMail: boolean
}

const MAX_NAME_LENGTH = 254

/**
 * GET and POST /auth/password/new: mails a link, by e-mail address or username. The response is the same whether or not there is such a
 * login. A cookie keeps the destination. Without mail the page says whom to ask.
 */
export const forgottenPages = (deps: Deps): Pages => ({
  show: async (request, response) => {
    const frame = deps.frameOf(request)
    if (!deps.canSendMail) return sendPage(response, frame, noticePage(frame.texts.forgot.noMail))
    const formToken = await deps.formTokens.issue(request, response)
    const action = `/auth/password/new?${nextQuery(queryOf(request), frame.texts.language)}`
    sendPage(response, frame, forgotPage(frame, { action, formToken }))
  },
  submit: async (request, response) => {
    const frame = deps.frameOf(request)
    const form = await deps.formTokens.read(request)
    if (!deps.canSendMail) return sendPage(response, frame, noticePage(frame.texts.forgot.noMail))
    const name = (textOf(form, 'email') ?? '').slice(0, MAX_NAME_LENGTH)
    const retryAfterSeconds = await deps.passwords.requestReset({ name, address: addressOf(request) })
    if (retryAfterSeconds !== undefined) throw new PageFault('throttled', 429, { retryAfterSeconds })
    deps.destination.keep(request, response)
    sendPage(response, frame, noticePage(frame.texts.forgot.sent))
  },
})

/** A valid link, and the violation of the new password, if any. */
type Asked = { frame: Frame; token: string; violation?: Violation }

/** GET and POST /auth/password/reset, from the mailed link: sets a new password, and links to sign-in. */
export const resetPages = (deps: Deps): Pages => {
  const bad = async (request: Request, response: Response, frame: Frame) => {
    await deps.limits.countIn('credentials', request, response)
    const { language, reset, signIn } = frame.texts
    const path = `/auth/password/new?${deps.destination.query(request, language)}`
    sendPage(response, frame, noticePage(reset.bad, { path, name: signIn.forgot }), 404)
  }
  const ask = async (request: Request, response: Response, { frame, ...asked }: Asked) => {
    const formToken = await deps.formTokens.issue(request, response)
    const action = `/auth/password/reset?lang=${frame.texts.language}`
    sendPage(response, frame, resetPage(frame, { action, formToken, ...asked }), asked.violation ? 422 : 200)
  }
  return {
    show: async (request, response) => {
      const frame = deps.frameOf(request)
      await deps.limits.refuseBeyond('credentials', request, response)
      const token = textOf(queryOf(request), 'token') ?? ''
      if (!(await deps.passwords.isLinkGood(token))) return bad(request, response, frame)
      await ask(request, response, { frame, token })
    },
    submit: async (request, response) => {
      const frame = deps.frameOf(request)
      await deps.limits.refuseBeyond('credentials', request, response)
      const form = await deps.formTokens.read(request)
      const token = textOf(form, 'token') ?? ''
      const password = textOf(form, 'password') ?? ''
      const [violation] = deps.registrations.violationsOfPassword(password)
      if (violation) return ask(request, response, { frame, token, violation })
      if (!(await deps.passwords.reset(token, password))) return bad(request, response, frame)
      sendPage(response, frame, noticePage(frame.texts.reset.done, deps.destination.takeSignInLink(request, response, frame)))
    },
  }
}
