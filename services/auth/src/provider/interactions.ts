import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Client } from '@rookery/rpc'
import { type Request, type Response, Router } from 'express'
import type { InteractionResults, Provider } from 'oidc-provider'
import type { Apps } from '../apps/index.ts'
import { type FormTokens, PageFault, type Parameters, readParameters, textOf } from '../http/index.ts'
import type { Logins } from '../logins/index.ts'
import type { MailSent, SignUp, SignUpPlace } from '../sign-up/index.ts'
import { askApproval } from './ask-approval.ts'
import { askSignIn, expectWanted, takeSignIn } from './ask-sign-in.ts'
import { descriptionOf } from './faults.ts'
import { type Question, readQuestion } from './question.ts'

type Given = {
  provider: () => Promise<Provider>
  apps: Apps
  logins: Logins
  statuses: { accounts: Client<AccountsDefinition> }
  formTokens: FormTokens
  mailSent: MailSent
  signUp: SignUp
  host: string
  maySignUp: boolean
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

/** The pages between an app's request and its answer: signing in, signing up, approving. */
export const interactionPages = (given: Given): Router => {
  const router = Router()
  const asking = { signIn: askSignIn(given), approval: askApproval(given) }
  const judgeSignIn = takeSignIn(given)

  const formOf = async (request: Request): Promise<Parameters> => {
    const parameters = await readParameters(request)
    if (!(await given.formTokens.isRight(request, parameters))) throw new PageFault('stale_form', 403)
    return parameters
  }

  router.get('/oauth/interaction/:uid', async (request, response) => {
    const question = await readQuestion(given, request, response)
    await (question.wanted === 'sign-in' ? asking.signIn : asking.approval)(request, response, question)
  })

  router.post('/oauth/interaction/:uid/sign_in', async (request, response) => {
    const question = await readQuestion(given, request, response)
    expectWanted(question, 'sign-in')
    const accountId = await judgeSignIn(request, response, question, await formOf(request))
    if (accountId) await finish(request, response, question, { login: { accountId } })
  })

  router.post('/oauth/interaction/:uid/approve', async (request, response) => {
    const question = await readQuestion(given, request, response)
    expectWanted(question, 'approval')
    const form = await formOf(request)
    await finish(request, response, question, textOf(form, 'answer') === 'allow' ? await allow(question) : DENIED)
  })

  const placeOf = (request: Request, response: Response, question: Question): SignUpPlace => ({
    frame: question.frame,
    action: `${question.path}/sign_up`,
    signInPath: question.path,
    welcome: async (accountId) => {
      await given.logins.recordSignIn(accountId)
      await finish(request, response, question, { login: { accountId } })
    },
  })

  for (const [method, act] of [
    ['get', 'show'],
    ['post', 'submit'],
  ] as const) {
    router[method]('/oauth/interaction/:uid/sign_up', async (request, response) => {
      const question = await readQuestion(given, request, response)
      expectWanted(question, 'sign-in')
      await given.signUp[act](request, response, placeOf(request, response, question))
    })
  }
  return router
}
