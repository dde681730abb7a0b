import { Failure, orNotFound, type Violation } from '@rookery/failures'
import type { Request, Response } from 'express'
import type { Registrations } from '../../accounts/registrations/index.ts'
import type { EmailChanges } from '../../credentials/email-changes/index.ts'
import { isLoginTaken, type Logins } from '../../logins/index.ts'
import { changeEmailPage, confirmChangePage, type Frame, loginLink, noticePage } from '../../web/html/index.ts'
import { queryOf, type RouteLimits, sendPage, textOf } from '../../web/http/index.ts'
import { proofOf } from './proof.ts'
import { forSignedIn, type Pages, type Visit, type VisitDeps } from './visitor.ts'

type Deps = VisitDeps & { logins: Logins; registrations: Registrations; emailChanges: EmailChanges; limits: RouteLimits }

const TAKEN: Violation = { field: 'email', code: 'ERR_TAKEN', description: 'has already been taken' }

/** The violation of a new address, if any. */
const violationOf = async ({ registrations, logins }: Deps, email: string): Promise<Violation | undefined> => {
  try {
    await registrations.checkEmail(email)
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') return error.violations[0]
    throw error
  }
  return (await logins.findByEmail(email)) ? TAKEN : undefined
}

type Wrong = { typed: string; problem?: string | undefined; violation?: Violation | undefined }

const ask = async (deps: Deps, { request, response, frame, accountId }: Visit, wrong: Wrong = { typed: '' }) => {
  const { email } = orNotFound(await deps.logins.find(accountId), `no login ${accountId}`)
  const formToken = await deps.formTokens.issue(request, response)
  const status = wrong.problem ? 401 : wrong.violation ? 422 : 200
  sendPage(response, frame, changeEmailPage(frame, { formToken, email, ...wrong }), status)
}

/** GET and POST /auth/account/email: requests a change. The current address stays until the new one is confirmed. */
export const changeEmailPages = (deps: Deps): Pages => ({
  show: forSignedIn(deps, (visit) => ask(deps, visit)),
  submit: forSignedIn(deps, async (visit) => {
    const { request, response, frame } = visit
    const form = await deps.formTokens.read(request)
    const email = (textOf(form, 'email') ?? '').trim()
    const { problem, proved } = await proofOf(deps, visit, form)
    if (!proved) return ask(deps, visit, { typed: email, problem })
    const violation = await violationOf(deps, email)
    if (violation) return ask(deps, visit, { typed: email, violation })
    try {
      const outcome = await deps.emailChanges.request(proved, email)
      sendPage(response, frame, noticePage(frame.texts.changeEmail[outcome === 'sent' ? 'sent' : 'done'], loginLink(frame.texts)))
    } catch (error) {
      if (!isLoginTaken(error)) throw error
      await ask(deps, visit, { typed: email, violation: TAKEN })
    }
  }),
})

/** GET and POST /auth/account/email/confirm, from the mailed link. Needs no sign-in, since the mail may be read on another device. */
export const confirmChangePages = (deps: Deps): Pages => {
  const bad = async (request: Request, response: Response, frame: Frame) => {
    await deps.limits.countIn('credentials', request, response)
    sendPage(response, frame, noticePage(frame.texts.changeEmail.bad, loginLink(frame.texts)), 404)
  }
  return {
    show: async (request: Request, response: Response) => {
      const frame = deps.frameOf(request)
      await deps.limits.refuseBeyond('credentials', request, response)
      const token = textOf(queryOf(request), 'token') ?? ''
      const email = await deps.emailChanges.emailOf(token)
      if (email === undefined) return bad(request, response, frame)
      const formToken = await deps.formTokens.issue(request, response)
      sendPage(response, frame, confirmChangePage(frame, { formToken, token, email }))
    },
    submit: async (request: Request, response: Response) => {
      const frame = deps.frameOf(request)
      await deps.limits.refuseBeyond('credentials', request, response)
      const form = await deps.formTokens.read(request)
      const outcome = await deps.emailChanges.confirm(textOf(form, 'token') ?? '')
      const { done, taken } = frame.texts.changeEmail
      if (outcome === 'changed') return sendPage(response, frame, noticePage(done, loginLink(frame.texts)))
      if (outcome === 'taken') return sendPage(response, frame, noticePage(taken, loginLink(frame.texts)), 409)
      await bad(request, response, frame)
    },
  }
}
