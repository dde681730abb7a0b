import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Client } from '@rookery/rpc'
import type { Request, Response } from 'express'
import type { Logins } from '../../logins/index.ts'
import { approvePage } from '../../web/html/index.ts'
import { allowFormTargets, callOf, type FormTokens, sendPage, textOf } from '../../web/http/index.ts'
import { OUT_OF_BAND } from '../apps/index.ts'
import { authorizationRequest } from './authorization-request.ts'
import { formTargetOf, placeOf } from './places.ts'
import type { Question } from './question.ts'

type Deps = { logins: Logins; statuses: { accounts: Client<AccountsDefinition> }; formTokens: FormTokens }

/** The person's handle, or their address when statuses cannot say. */
const nameOf = async (deps: Deps, response: Response, accountId: string): Promise<string> => {
  const usernames = await deps.statuses.accounts.readUsernames(callOf(response), { ids: [accountId] }).catch(() => undefined)
  const username = usernames?.accounts[0]?.username
  return username ? `@${username}` : ((await deps.logins.find(accountId))?.email ?? '')
}

/** Asks whether an app may be let in. */
export const askApproval =
  (deps: Deps) =>
  async (request: Request, response: Response, question: Question): Promise<void> => {
    const { parameters, app, frame, path } = question
    const redirectUri = textOf(parameters, 'redirect_uri') ?? OUT_OF_BAND
    const asOther = `${authorizationRequest(parameters).path}&force_login=true`
    const page = approvePage(frame, {
      app,
      person: await nameOf(deps, response, question.accountId ?? ''),
      scopes: (textOf(parameters, 'scope') ?? '').split(' '),
      place: redirectUri === OUT_OF_BAND ? undefined : placeOf(redirectUri, app.name),
      action: `${path}/approve`,
      formToken: await deps.formTokens.issue(request, response),
      otherAccountPath: asOther,
    })
    allowFormTargets(response, [formTargetOf(redirectUri)])
    sendPage(response, frame, page)
  }
