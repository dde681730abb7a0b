import type { Request, Response } from 'express'
import { type FormTokens, sendPage } from '../http/index.ts'
import { signInPage } from '../pages/index.ts'
import type { Again } from '../sign-up/index.ts'
import type { Question } from './question.ts'

type Given = { formTokens: FormTokens; maySignUp: boolean; canSendMail: boolean }

/** Asks who somebody is; `again` says what was wrong with their last answer. */
export const askSignIn =
  (given: Given) =>
  async (request: Request, response: Response, question: Question, again?: Again): Promise<void> => {
    const { texts } = question.frame
    const page = signInPage(question.frame, {
      lead: texts.signIn.lead(question.app.name),
      action: `${question.path}/sign_in`,
      formToken: await given.formTokens.issue(request, response),
      signUpPath: given.maySignUp ? `${question.path}/sign_up` : undefined,
      forgotPath: given.canSendMail ? `/auth/password/new?lang=${texts.language}` : undefined,
      ...again,
    })
    sendPage(response, question.frame, page, again?.status)
  }
