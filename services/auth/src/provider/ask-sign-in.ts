import type { Request, Response } from 'express'
import { type FormTokens, sendPage, textOf } from '../http/index.ts'
import type { Logins, SignIn } from '../logins/index.ts'
import { noticePage, signInPage } from '../pages/index.ts'
import type { MailSent } from '../sign-up/index.ts'
import type { Question } from './question.ts'

type Given = { logins: Logins; formTokens: FormTokens; mailSent: MailSent; maySignUp: boolean; canSendMail: boolean }

type Again = { email: string; problem: string; status: number }

/** Asks who somebody is; `again` says what was wrong with their last answer. */
export const askSignIn =
  (given: Given) =>
  async (request: Request, response: Response, question: Question, again?: Again): Promise<void> => {
    const page = signInPage(question.frame, {
      app: question.app.name,
      action: `${question.path}/sign_in`,
      formToken: await given.formTokens.issue(request, response),
      signUpPath: given.maySignUp ? `${question.path}/sign_up` : undefined,
      forgotPath: given.canSendMail ? `/auth/password/new?lang=${question.frame.texts.language}` : undefined,
      ...again,
    })
    sendPage(response, question.frame, page, again?.status)
  }

type Refusal = Exclude<SignIn, { outcome: 'welcome' }>
type Visit = { request: Request; response: Response; question: Question }

/** Tells somebody why they were not let in. */
const refuse = async (given: Given, { request, response, question }: Visit, email: string, refusal: Refusal) => {
  const { texts } = question.frame
  const again = (problem: string, status: number) => askSignIn(given)(request, response, question, { email, problem, status })
  switch (refusal.outcome) {
    case 'unconfirmed':
      return given.mailSent.show(request, response, question.frame, refusal.accountId)
    case 'pending':
      return sendPage(response, question.frame, noticePage(texts.pending), 403)
    case 'disabled':
      return again(texts.signIn.disabled, 403)
    case 'exhausted':
      response.setHeader('Retry-After', String(refusal.retryAfterSeconds))
      return again(texts.signIn.throttled, 429)
    case 'wrong':
      return again(texts.signIn.wrong, 401)
  }
}

/** Judges an answer to the sign-in page: the account it belongs to, or undefined when a page saying why not was sent. */
export const takeSignIn =
  (given: Given) =>
  async (request: Request, response: Response, question: Question): Promise<string | undefined> => {
    const form = await given.formTokens.read(request)
    const email = textOf(form, 'email') ?? ''
    const password = textOf(form, 'password') ?? ''
    const result = await given.logins.signIn({ email, password, address: request.ip ?? '' })
    if (result.outcome === 'welcome') return result.accountId
    await refuse(given, { request, response, question }, email, result)
    return undefined
  }
