import type { Request, Response } from 'express'
import type { Registrations } from '../../accounts/registrations/index.ts'
import type { Passwords } from '../../credentials/passwords/index.ts'
import { type Frame, forgotPage, noticePage, resetPage } from '../../web/html/index.ts'
import { addressOf, type FormTokens, PageFault, queryOf, type RouteLimits, sendPage, textOf } from '../../web/http/index.ts'
import type { Pages } from './visitor.ts'

type Given = {
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
export const forgottenPages = (given: Given): Pages => ({
  show: async (request, response) => {
    const frame = given.frameOf(request)
    if (!given.canSendMail) return sendPage(response, frame, noticePage(frame.texts.forgot.noMail))
    const formToken = await given.formTokens.issue(request, response)
    sendPage(response, frame, forgotPage(frame, { action: `/auth/password/new?lang=${frame.texts.language}`, formToken }))
  },
  submit: async (request, response) => {
    const frame = given.frameOf(request)
    const form = await given.formTokens.read(request)
    if (!given.canSendMail) return sendPage(response, frame, noticePage(frame.texts.forgot.noMail))
    const name = (textOf(form, 'email') ?? '').slice(0, MAX_NAME_LENGTH)
    const retryAfterSeconds = await given.passwords.requestReset({ name, address: addressOf(request) })
    if (retryAfterSeconds !== undefined) throw new PageFault('throttled', 429, { retryAfterSeconds })
    sendPage(response, frame, noticePage(frame.texts.forgot.sent))
  },
})

/** GET and POST /auth/password/reset: takes a new password from whoever followed the link. */
export const resetPages = (given: Given): Pages => {
  const bad = async (request: Request, response: Response, frame: Frame) => {
    await given.limits.countIn('credentials', request, response)
    sendPage(response, frame, noticePage(frame.texts.reset.bad), 404)
  }
  return {
    show: async (request, response) => {
      const frame = given.frameOf(request)
      await given.limits.refuseBeyond('credentials', request, response)
      const token = textOf(queryOf(request), 'token') ?? ''
      if (!(await given.passwords.isLinkGood(token))) return bad(request, response, frame)
      const formToken = await given.formTokens.issue(request, response)
      sendPage(response, frame, resetPage(frame, { action: `/auth/password/reset?lang=${frame.texts.language}`, formToken, token }))
    },
    submit: async (request, response) => {
      const frame = given.frameOf(request)
      await given.limits.refuseBeyond('credentials', request, response)
      const form = await given.formTokens.read(request)
      const token = textOf(form, 'token') ?? ''
      const password = textOf(form, 'password') ?? ''
      const [violation] = given.registrations.violationsOfPassword(password)
      if (violation) {
        const formToken = await given.formTokens.issue(request, response)
        const action = `/auth/password/reset?lang=${frame.texts.language}`
        return sendPage(response, frame, resetPage(frame, { action, formToken, token, violation }), 422)
      }
      if (!(await given.passwords.reset(token, password))) return bad(request, response, frame)
      sendPage(response, frame, noticePage(frame.texts.reset.done))
    },
  }
}
