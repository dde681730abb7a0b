import type { Request, Response } from 'express'
import { type RequestLimits, sendPage } from '../http/index.ts'
import type { Logins } from '../logins/index.ts'
import { noticePage, signInPage, signOutPage } from '../pages/index.ts'
import { type Again, judgeSignIn, type MailSent } from '../sign-up/index.ts'
import type { Pages, VisitGiven } from './visitor.ts'

type Given = VisitGiven & { logins: Logins; mailSent: MailSent; limits: RequestLimits; maySignUp: boolean; canSendMail: boolean }

/** GET and POST /auth/sign_in: signs a browser in without an app, to look after the login. */
export const signInPages = (given: Given): Pages => {
  const judge = judgeSignIn(given)
  const ask = async (request: Request, response: Response, again?: Again) => {
    const frame = given.frameOf(request)
    const { texts } = frame
    const page = signInPage(frame, {
      lead: texts.account.signInLead,
      action: `/auth/sign_in?lang=${texts.language}`,
      formToken: await given.formTokens.issue(request, response),
      signUpPath: given.maySignUp ? `/auth/sign_up?lang=${texts.language}` : undefined,
      forgotPath: given.canSendMail ? `/auth/password/new?lang=${texts.language}` : undefined,
      ...again,
    })
    sendPage(response, frame, page, again?.status)
  }
  return {
    show: (request, response) => ask(request, response),
    submit: async (request, response) => {
      const frame = given.frameOf(request)
      const accountId = await judge(request, response, { frame, ask: (again) => ask(request, response, again) })
      if (accountId === undefined) return
      await given.browserSessions.open(request, response, accountId)
      response.redirect(303, `/auth/account?lang=${frame.texts.language}`)
    },
  }
}

/** GET and POST /auth/sign_out: signs the browser out. Apps keep their tokens. */
export const signOutPages = (given: VisitGiven): Pages => ({
  show: async (request, response) => {
    const frame = given.frameOf(request)
    const formToken = await given.formTokens.issue(request, response)
    sendPage(response, frame, signOutPage(frame, { formToken }))
  },
  submit: async (request, response) => {
    const frame = given.frameOf(request)
    await given.formTokens.read(request)
    await given.browserSessions.close(request, response)
    sendPage(response, frame, noticePage(frame.texts.signOut.done))
  },
})
