import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Client } from '@rookery/rpc'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { InteractionResults, Provider } from 'oidc-provider'
import type { Apps } from '../apps/index.ts'
import { type FormTokens, PageFault, type RequestLimits, textOf } from '../http/index.ts'
import type { Logins } from '../logins/index.ts'
import { type Again, judgeSignIn, type MailSent, type SignUp, type SignUpPlace } from '../sign-up/index.ts'
import { askApproval } from './ask-approval.ts'
import { askSignIn } from './ask-sign-in.ts'
import { descriptionOf } from './faults.ts'
import { type Question, readQuestion } from './question.ts'

type Given = {
  provider: () => Promise<Provider>
  apps: Apps
  logins: Logins
  statuses: { accounts: Client<AccountsDefinition> }
  formTokens: FormTokens
  mailSent: MailSent
  limits: RequestLimits
  signUp: SignUp
  host: string
  maySignUp: boolean
  canSendMail: boolean
}

/** Tells the provider the answer; it goes on from there. Answers of earlier pages are already in the session. */
const finish = (request: Request, response: Response, { provider }: Question, result: InteractionResults) =>
  provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })

const allow = async ({ provider, accountId, app, parameters }: Question): Promise<InteractionResults> => {
  if (!accountId) throw new PageFault('expired', 400)
  const grant = new provider.Grant({ accountId, clientId: app.clientId })
  grant.addOIDCScope(textOf(parameters, 'scope') ?? '')
  return { consent: { grantId: await grant.save() } }
}

const DENIED: InteractionResults = { error: 'access_denied', error_description: descriptionOf('access_denied') }

type Answering = (request: Request, response: Response, question: Question) => Promise<void>

/** Handles an answer to a question. @throws PageFault when the page asks something else by now, e.g. after the browser's way back */
const answering =
  (given: Given, wanted: Question['wanted'], handle: Answering): RequestHandler =>
  async (request, response) => {
    const question = await readQuestion(given, request, response)
    if (question.wanted !== wanted) throw new PageFault('stale_form', 409)
    await handle(request, response, question)
  }

/** Where the sign-up page stands when it is asked for on the way to an app: it leads on there. */
const placeOf = (given: Given, request: Request, response: Response, question: Question): SignUpPlace => ({
  frame: question.frame,
  action: `${question.path}/sign_up`,
  signInPath: question.path,
  welcome: async (accountId) => {
    await given.logins.recordSignIn(accountId)
    await finish(request, response, question, { login: { accountId } })
  },
})

/** The pages between an app's request and its answer: signing in, signing up, approving. */
export const interactionPages = (given: Given): Router => {
  const router = Router()
  const ask = { 'sign-in': askSignIn(given), approval: askApproval(given) }
  const judge = judgeSignIn(given)
  const path = '/oauth/interaction/:uid'

  router.get(path, async (request, response) => {
    const question = await readQuestion(given, request, response)
    await ask[question.wanted](request, response, question)
  })

  const signIn = answering(given, 'sign-in', async (request, response, question) => {
    const again = (problem: Again) => ask['sign-in'](request, response, question, problem)
    const accountId = await judge(request, response, { frame: question.frame, ask: again })
    if (accountId) await finish(request, response, question, { login: { accountId } })
  })
  router.post(`${path}/sign_in`, signIn)

  const approve = answering(given, 'approval', async (request, response, question) => {
    const form = await given.formTokens.read(request)
    await finish(request, response, question, textOf(form, 'answer') === 'allow' ? await allow(question) : DENIED)
  })
  router.post(`${path}/approve`, approve)

  const signUp = (act: 'show' | 'submit') =>
    answering(given, 'sign-in', (request, response, question) =>
      given.signUp[act](request, response, placeOf(given, request, response, question)),
    )
  router.get(`${path}/sign_up`, signUp('show'))
  router.post(`${path}/sign_up`, signUp('submit'))
  return router
}
