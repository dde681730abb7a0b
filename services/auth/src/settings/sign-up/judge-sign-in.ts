import type { Request, Response } from 'express'
import type { SecondFactors } from '../../credentials/second-factors/index.ts'
import type { Logins, Proved, SignIn } from '../../logins/index.ts'
import { type Frame, noticePage } from '../../web/html/index.ts'
import { addressOf, callOf, type FormTokens, sendPage, textOf } from '../../web/http/index.ts'
import type { Barred } from './barred.ts'
import type { MailSent } from './mail-sent.ts'

type Deps = { logins: Logins; secondFactors: SecondFactors; formTokens: FormTokens; mailSent: MailSent; barred: Barred }

/** The state of a sign-in form that is shown again. */
export type Again = { name: string; problem: string; status: number }

/** The page of a sign-in: on its own, or for an authorization request. */
type SignInPlace = {
  frame: Frame
  ask(again: Again): Promise<void>
  /** Asks for the second factor, after the right password. */
  askSecondFactor(accountId: string): Promise<void>
}

type Refusal = Exclude<SignIn, { outcome: 'welcome' }>
type Visit = { request: Request; response: Response; place: SignInPlace }

/** With a second factor an appeal is not allowed here: the factor was not checked, and the password alone may be stolen. */
const sendBarred = async ({ barred, secondFactors }: Deps, request: Request, response: Response, accountId: string) =>
  barred.send({ request, response, accountId }, { mayAppeal: !(await secondFactors.isOn(accountId)) })

/** Sends the page for a refused sign-in. */
const refuse = async (deps: Deps, { request, response, place }: Visit, name: string, refusal: Refusal) => {
  const { texts } = place.frame
  const again = (problem: string, status: number) => place.ask({ name, problem, status })
  switch (refusal.outcome) {
    case 'second_factor':
      return place.askSecondFactor(refusal.accountId)
    case 'unconfirmed':
      return deps.mailSent.show(request, response, place.frame, refusal.accountId)
    case 'pending':
      return sendPage(response, place.frame, noticePage(texts.pending), 403)
    case 'disabled':
      return sendBarred(deps, request, response, refusal.accountId)
    case 'exhausted':
      response.setHeader('Retry-After', String(refusal.retryAfterSeconds))
      return again(texts.signIn.throttled, 429)
    case 'wrong':
      return again(texts.signIn.wrong, 401)
  }
}

/** Processes a sign-in form. Returns the login that was proved; undefined if a page for a refusal or for the second factor was sent. */
export const judgeSignIn =
  (deps: Deps) =>
  async (request: Request, response: Response, place: SignInPlace): Promise<Proved | undefined> => {
    const form = await deps.formTokens.read(request)
    const name = textOf(form, 'email') ?? ''
    const password = textOf(form, 'password') ?? ''
    const result = await deps.logins.signIn(callOf(response), { name, password, address: addressOf(request) })
    if (result.outcome === 'welcome') return result.proved
    await refuse(deps, { request, response, place }, name, result)
    return undefined
  }
