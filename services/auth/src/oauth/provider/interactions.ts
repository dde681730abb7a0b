import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Client } from '@rookery/rpc'
import { type Request, type Response, Router } from 'express'
import type { InteractionResults, Provider } from 'oidc-provider'
import type { Logins } from '../../logins/index.ts'
import { type FormTokens, PageFault, textOf } from '../../web/http/index.ts'
import type { Apps } from '../apps/index.ts'
import { askApproval } from './ask-approval.ts'
import { descriptionOf } from './faults.ts'
import { RESUME_COOKIE } from './names.ts'
import { type Question, readQuestion } from './question.ts'

type Deps = {
  provider: () => Promise<Provider>
  apps: Apps
  logins: Logins
  statuses: { accounts: Client<AccountsDefinition> }
  formTokens: FormTokens
  host: string
  isSecure: boolean
}

const allow = async ({ provider, accountId, app, parameters }: Question): Promise<InteractionResults> => {
  if (!accountId) throw new PageFault('expired', 400)
  const grant = new provider.Grant({ accountId, clientId: app.clientId })
  grant.addOIDCScope(textOf(parameters, 'scope') ?? '')
  return { consent: { grantId: await grant.save() } }
}

const DENIED: InteractionResults = { error: 'access_denied', error_description: descriptionOf('access_denied') }

/**
 * Tells the provider the answer; it goes on from there. The cookie that lets it go on is taken away by the first answer and given anew by
 * the next, so that a form that a browser sends twice leads to the app both times.
 */
const finish = async (deps: Deps, request: Request, response: Response, question: Question, result: InteractionResults) => {
  const { provider, uid } = question
  const { cookies } = provider.createContext(request, response)
  cookies.secure = deps.isSecure
  const options = { httpOnly: true, sameSite: 'lax', secure: deps.isSecure, signed: true } as const
  cookies.set(RESUME_COOKIE, uid, { ...options, path: `/oauth/authorize/${uid}` })
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/** The page between an app's request and its answer: whether the app may be let in. */
export const interactionPages = (deps: Deps): Router => {
  const router = Router()
  const ask = askApproval(deps)
  const path = '/oauth/interaction/:uid'
  router.get(path, async (request, response) => ask(request, response, await readQuestion(deps, request, response)))
  router.post(`${path}/approve`, async (request, response) => {
    const question = await readQuestion(deps, request, response)
    const form = await deps.formTokens.read(request)
    await finish(deps, request, response, question, textOf(form, 'answer') === 'allow' ? await allow(question) : DENIED)
  })
  return router
}
