import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Client } from '@rookery/rpc'
import { type Request, type Response, Router } from 'express'
import type { Interaction, InteractionResults, Provider } from 'oidc-provider'
import type { Login, Logins } from '../../logins/index.ts'
import { approvePage } from '../../web/html/index.ts'
import { allowFormTargets, callOf, type FormTokens, frameOf, PageFault, sendPage, textOf } from '../../web/http/index.ts'
import { type App, type Apps, OUT_OF_BAND } from '../apps/index.ts'
import { descriptionOf } from '../grants/index.ts'
import { authorizationRequest, interactionPath } from './authorization-request.ts'
import { cookieOptions, RESUME_COOKIE } from './cookies.ts'
import { refusal } from './refusal.ts'

type Deps = {
  provider: () => Promise<Provider>
  apps: Apps
  logins: Logins
  secondFactors: { isMissing: (login: Pick<Login, 'accountId' | 'role'>) => Promise<boolean> }
  statuses: { accounts: Client<AccountsDefinition> }
  formTokens: FormTokens
  baseUrl: string
  host: string
}

/** The pending interaction of an authorization request. */
type Question = { provider: Provider; interaction: Interaction; accountId: string; app: App }

/**
 * The browser's pending interaction.
 * @throws PageFault, or SessionNotFound of oidc-provider, if there is none or it belongs to another session
 */
const readQuestion = async (deps: Deps, request: Request, response: Response): Promise<Question> => {
  const provider = await deps.provider()
  const interaction = await provider.interactionDetails(request, response)
  const accountId = interaction.session?.accountId
  // The cookie identifies the interaction; the URL must match it.
  if (!accountId || interaction.uid !== request.params['uid']) throw new PageFault('expired', 400)
  const app = await deps.apps.findByClientId(textOf(interaction.params, 'client_id') ?? '')
  if (!app) throw refusal('invalid_client')
  return { provider, interaction, accountId, app }
}

/** The page for turning on a required second factor, if it is missing; undefined otherwise. */
const detourOf = async ({ logins, secondFactors }: Deps, { accountId, interaction }: Question): Promise<string | undefined> => {
  const login = await logins.find(accountId)
  if (!login || !(await secondFactors.isMissing(login))) return undefined
  return `/auth/account/second_factor?${new URLSearchParams(authorizationRequest(interaction.params).carried)}`
}

/** The account's username; if statuses is unreachable, the e-mail address. */
const nameOf = async ({ statuses, logins }: Deps, response: Response, accountId: string): Promise<string> => {
  const usernames = await statuses.accounts.readUsernames(callOf(response), { ids: [accountId] }).catch(() => undefined)
  const username = usernames?.accounts[0]?.username
  return username ? `@${username}` : ((await logins.find(accountId))?.email ?? '')
}

const ask = async (deps: Deps, request: Request, response: Response) => {
  const question = await readQuestion(deps, request, response)
  const detour = await detourOf(deps, question)
  if (detour) return response.redirect(303, detour)
  const { interaction, accountId, app } = question
  const { params, uid } = interaction
  const frame = frameOf(request, deps.host, params['lang'])
  const redirectUri = textOf(params, 'redirect_uri') ?? OUT_OF_BAND
  const { protocol, host } = new URL(redirectUri)
  const page = approvePage(frame, {
    app,
    person: await nameOf(deps, response, accountId),
    scopes: (textOf(params, 'scope') ?? '').split(' '),
    place: redirectUri === OUT_OF_BAND ? undefined : /^https?:$/.test(protocol) ? host : app.name,
    action: `${interactionPath(uid)}/approve`,
    formToken: await deps.formTokens.issue(request, response),
    otherAccountPath: `${authorizationRequest(params).path}&force_login=true`,
  })
  // Browsers apply form-action to all redirects after the form, and websites redirect from their redirect URI to other hosts.
  allowFormTargets(response, [protocol])
  sendPage(response, frame, page)
}

const DENIED: InteractionResults = { error: 'access_denied', error_description: descriptionOf('access_denied') }

const allow = async ({ provider, interaction, accountId, app }: Question): Promise<InteractionResults> => {
  const grant = new provider.Grant({ accountId, clientId: app.clientId })
  grant.addOIDCScope(textOf(interaction.params, 'scope') ?? '')
  return { consent: { grantId: await grant.save() } }
}

/**
 * Passes the answer to oidc-provider, which continues the request. The first answer removes the resume cookie, so each answer sets it
 * again: a form sent twice leads to the app both times.
 */
const answer = async (deps: Deps, request: Request, response: Response) => {
  const question = await readQuestion(deps, request, response)
  const { provider, interaction } = question
  const detour = await detourOf(deps, question)
  if (detour) return response.redirect(303, detour)
  const form = await deps.formTokens.read(request)
  const path = `/oauth/authorize/${interaction.uid}`
  provider.createContext(request, response).cookies.set(RESUME_COOKIE, interaction.uid, { ...cookieOptions(deps.baseUrl), path })
  const result = textOf(form, 'answer') === 'allow' ? await allow(question) : DENIED
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/** The page that asks the user to approve an app's request. */
export const approvalPages = (deps: Deps): Router => {
  const path = interactionPath(':uid')
  return Router()
    .get(path, (request, response) => ask(deps, request, response))
    .post(`${path}/approve`, (request, response) => answer(deps, request, response))
}
