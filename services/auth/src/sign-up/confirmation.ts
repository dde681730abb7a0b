import type { Request, RequestHandler } from 'express'
import type { Confirmations } from '../confirmations/index.ts'
import { type FormTokens, queryOf, sendPage, textOf } from '../http/index.ts'
import { confirmPage, type Frame, noticePage } from '../pages/index.ts'

type Given = { confirmations: Confirmations; formTokens: FormTokens; frameOf: (request: Request) => Frame }

/** GET and POST /auth/confirmation: following the link shows a page, its button confirms. */
export const confirmationPages = (given: Given): { show: RequestHandler; submit: RequestHandler } => ({
  show: async (request, response) => {
    const frame = given.frameOf(request)
    const token = textOf(queryOf(request), 'token') ?? ''
    if (!(await given.confirmations.isLinkGood(token))) return sendPage(response, frame, noticePage(frame.texts.confirm.bad), 404)
    const formToken = await given.formTokens.issue(request, response)
    const action = `/auth/confirmation?lang=${frame.texts.language}`
    sendPage(response, frame, confirmPage(frame, { action, formToken, token }))
  },
  submit: async (request, response) => {
    const frame = given.frameOf(request)
    const parameters = await given.formTokens.read(request)
    const state = await given.confirmations.confirm(textOf(parameters, 'token') ?? '')
    const { bad, done, donePending } = frame.texts.confirm
    if (state === undefined) return sendPage(response, frame, noticePage(bad), 404)
    sendPage(response, frame, noticePage(state === 'pending' ? donePending : done))
  },
})
