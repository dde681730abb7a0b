import type { Request, RequestHandler, Response } from 'express'
import type { Confirmations } from '../../credentials/confirmations/index.ts'
import { confirmPage, type Frame, noticePage, signInLink } from '../../web/html/index.ts'
import { type FormTokens, queryOf, type RouteLimits, sendPage, textOf } from '../../web/http/index.ts'
import type { KeptDestination } from '../destination/index.ts'

type Deps = {
  confirmations: Confirmations
  formTokens: FormTokens
  destination: KeptDestination
  limits: RouteLimits
  frameOf: (request: Request) => Frame
}

/** GET and POST /auth/confirmation, from the mailed link: the button of the page confirms the address, and links to the destination. */
export const confirmationPages = (deps: Deps): { show: RequestHandler; submit: RequestHandler } => {
  const bad = async (request: Request, response: Response, frame: Frame) => {
    await deps.limits.countIn('credentials', request, response)
    sendPage(response, frame, noticePage(frame.texts.confirm.bad, signInLink(frame.texts)), 404)
  }
  return {
    show: async (request, response) => {
      const frame = deps.frameOf(request)
      await deps.limits.refuseBeyond('credentials', request, response)
      const token = textOf(queryOf(request), 'token') ?? ''
      if (!(await deps.confirmations.isLinkGood(token))) return bad(request, response, frame)
      const formToken = await deps.formTokens.issue(request, response)
      const action = `/auth/confirmation?lang=${frame.texts.language}`
      sendPage(response, frame, confirmPage(frame, { action, formToken, token }))
    },
    submit: async (request, response) => {
      const frame = deps.frameOf(request)
      await deps.limits.refuseBeyond('credentials', request, response)
      const parameters = await deps.formTokens.read(request)
      const state = await deps.confirmations.confirm(textOf(parameters, 'token') ?? '')
      if (state === undefined) return bad(request, response, frame)
      const { done, donePending } = frame.texts.confirm
      if (state === 'pending') return sendPage(response, frame, noticePage(donePending))
      sendPage(response, frame, noticePage(done, deps.destination.takeSignInLink(request, response, frame)))
    },
  }
}
