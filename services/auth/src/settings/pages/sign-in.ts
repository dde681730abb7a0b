import { inReadingOrder } from '@rookery/pages'
import type { Request, RequestHandler, Response } from 'express'
import type { Logins, Proved } from '../../logins/index.ts'
import type { Apps } from '../../oauth/apps/index.ts'
import { type AuthorizationRequest, carriedRequest } from '../../oauth/provider/index.ts'
import { type Frame, noticePage, signInLink, signInPage, signOutPage } from '../../web/html/index.ts'
import { queryOf, type RouteLimits, sendPage } from '../../web/http/index.ts'
import { nextPath, nextQuery, sameQuery, secondFactorPath } from '../destination/index.ts'
import { type Again, type Barred, judgeSignIn, type MailSent } from '../sign-up/index.ts'
import { createPasskeySignIn } from './passkey-sign-in.ts'
import { createSecondStep } from './second-step.ts'
import type { Pages, VisitDeps } from './visitor.ts'

type Deps = VisitDeps & {
  apps: Apps
  logins: Logins
  mailSent: MailSent
  barred: Barred
  limits: RouteLimits
  maySignUp: boolean
} & Parameters<typeof createSecondStep>[0] &
  Parameters<typeof createPasskeySignIn>[0]

const leadOf = async ({ apps }: Deps, { texts }: Frame, carried: AuthorizationRequest | undefined): Promise<string> => {
  const app = carried?.clientId === undefined ? undefined : await apps.findByClientId(carried.clientId)
  return app ? texts.signIn.lead(inReadingOrder(app.name)) : texts.account.signInLead
}

/**
 * GET and POST /auth/sign_in: signs a browser in and continues to the destination, such as an authorization request. With a second factor
 * the page /auth/sign_in/code comes in between.
 */
export const signInPages = (deps: Deps): Pages & { code: Pages; passkey: RequestHandler } => {
  const judge = judgeSignIn(deps)
  const welcome = async (request: Request, response: Response, proved: Proved) => {
    const { language } = deps.frameOf(request).texts
    const query = queryOf(request)
    if (!(await deps.browserSessions.open(request, response, proved))) return response.redirect(303, sameQuery(request, '/auth/sign_in'))
    const login = await deps.logins.find(proved.accountId)
    if (login && (await deps.secondFactors.isMissing(login))) return response.redirect(303, secondFactorPath(query, language))
    response.redirect(303, nextPath(query) ?? `/auth/account?lang=${language}`)
  }
  const passkeySignIn = createPasskeySignIn(deps)
  const step = createSecondStep(deps, { passkeySignIn, welcome })
  const ask = async (request: Request, response: Response, again?: Again) => {
    const frame = deps.frameOf(request)
    const { language } = frame.texts
    const carried = carriedRequest(queryOf(request))
    const query = nextQuery(queryOf(request), language)
    const formToken = await deps.formTokens.issue(request, response)
    const page = signInPage(frame, {
      lead: await leadOf(deps, frame, carried),
      action: `/auth/sign_in?${query}`,
      formToken,
      signUpPath: deps.maySignUp ? `/auth/sign_up?${query}` : undefined,
      forgotPath: `/auth/password/new?${query}`,
      passkey: await passkeySignIn.question(request, response, { formToken }),
      ...again,
    })
    sendPage(response, frame, page, again?.status)
  }
  return {
    show: (request, response) => ask(request, response),
    submit: async (request, response) => {
      const frame = deps.frameOf(request)
      const askSecondFactor = (accountId: string) => step.begin(request, response, accountId)
      const proved = await judge(request, response, { frame, ask: (again) => ask(request, response, again), askSecondFactor })
      if (proved) await welcome(request, response, proved)
    },
    code: step.pages,
    passkey: passkeySignIn.submit({
      ...step,
      welcome,
      refuse: (request, response, wrong) => ask(request, response, { name: '', ...wrong }),
    }),
  }
}

/** GET and POST /auth/sign_out: signs the browser out. Apps keep their tokens. */
export const signOutPages = (deps: VisitDeps): Pages => ({
  show: async (request, response) => {
    const frame = deps.frameOf(request)
    const formToken = await deps.formTokens.issue(request, response)
    sendPage(response, frame, signOutPage(frame, { formToken }))
  },
  submit: async (request, response) => {
    const frame = deps.frameOf(request)
    await deps.formTokens.read(request)
    await deps.browserSessions.close(request, response)
    sendPage(response, frame, noticePage(frame.texts.signOut.done, signInLink(frame.texts)))
  },
})
