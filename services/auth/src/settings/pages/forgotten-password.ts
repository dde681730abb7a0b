import type { Request, Response } from 'express'
import type { Registrations } from '../../accounts/registrations/index.ts'
import type { Passwords } from '../../credentials/passwords/index.ts'
import { type Frame, forgotPage, noticePage, resetPage } from '../../web/html/index.ts'
import { addressOf, type FormTokens, PageFault, queryOf, type RouteLimits, sendPage, textOf } from '../../web/http/index.ts'
import type { Pages } from './visitor.ts'

type Deps = {
  passwords: Passwords
  registrations: Registrations
  formTokens: FormTokens
  limits: RouteLimits
  frameOf: (request: Request) => Frame
  /** Whether links can be sent. */
  canSendMail: boolean
}

const MAX_NAME_LENGTH = 254

/**
 * GET and POST /auth/password/new: asks whose password was forgotten, by e-mail address or username, and answers the same whether or not there
 * is such a login. A server that sends no mail says whom to ask.
 */
export const forgottenPages = (deps: Deps): Pages => ({
  show: async (request, response) => {
    const frame = deps.frameOf(request)
    if (!deps.canSendMail) return sendPage(response, frame, noticePage(frame.texts.forgot.noMail))
    const formToken = await deps.formTokens.issue(request, response)
    sendPage(response, frame, forgotPage(frame, { action: `/auth/password/new?lang=${frame.texts.language}`, formToken }))
  },
  submit: async (request, response) => {
    const frame = deps.frameOf(request)
    const form = await deps.formTokens.read(request)
    if (!deps.canSendMail) return sendPage(response, frame, noticePage(frame.texts.forgot.noMail))
    const name = (textOf(form, 'email') ?? '').slice(0, MAX_NAME_LENGTH)
    const retryAfterSeconds = await deps.passwords.requestReset({ name, address: addressOf(request) })
    if (retryAfterSeconds !== undefined) throw new PageFault('throttled', 429, { retryAfterSeconds })
    sendPage(response, frame, noticePage(frame.texts.forgot.sent))
  },
})

/** GET and POST /auth/password/reset: takes a new password from the user who followed the link. */
export const resetPages = (deps: Deps): Pages => {
  const bad = async (request: Request, response: Response, frame: Frame) => {
    await deps.limits.countIn('credentials', request, response)
    sendPage(response, frame, noticePage(frame.texts.reset.bad), 404)
  }
  return {
    show: async (request, response) => {
      const frame = deps.frameOf(request)
      await deps.limits.refuseBeyond('credentials', request, response)
      const token = textOf(queryOf(request), 'token') ?? ''
      if (!(await deps.passwords.isLinkGood(token))) return bad(request, response, frame)
      const formToken = await deps.formTokens.issue(request, response)
      sendPage(response, frame, resetPage(frame, { action: `/auth/password/reset?lang=${frame.texts.language}`, formToken, token }))
    },
    submit: async (request, response) => {
      const frame = deps.frameOf(request)
      await deps.limits.refuseBeyond('credentials', request, response)
      const form = await deps.formTokens.read(request)
      const token = textOf(form, 'token') ?? ''
      const password = textOf(form, 'password') ?? ''
      const [violation] = deps.registrations.violationsOfPassword(password)
      if (violation) {
        const formToken = await deps.formTokens.issue(request, response)
        const action = `/auth/password/reset?lang=${frame.texts.language}`
        return sendPage(response, frame, resetPage(frame, { action, formToken, token, violation }), 422)
      }
      if (!(await deps.passwords.reset(token, password))) return bad(request, response, frame)
      sendPage(response, frame, noticePage(frame.texts.reset.done))
    },
  }
}
