import type { Request, Response } from 'express'
import type { Provider } from 'oidc-provider'
import type { Frame } from '../../web/html/index.ts'
import { frameOf, PageFault, type Parameters, textOf } from '../../web/http/index.ts'
import type { App, Apps } from '../apps/index.ts'
import { interactionPath } from './names.ts'
import { refusal } from './refusal.ts'

/** What the provider wants to know from a person, on behalf of which app, and in which language. */
export type Question = {
  provider: Provider
  uid: string
  /** Its address; sub-paths take the answers. */
  path: string
  /** Who is signed in. */
  accountId: string | undefined
  /** The app's request. */
  parameters: Parameters
  app: App
  frame: Frame
}

type Deps = { provider: () => Promise<Provider>; apps: Apps; host: string }

/** The question this browser was asked. @throws PageFault, or the provider's SessionNotFound, when there is none or it was another's */
export const readQuestion = async (deps: Deps, request: Request, response: Response): Promise<Question> => {
  const provider = await deps.provider()
  const interaction = await provider.interactionDetails(request, response)
  // The cookie says which question it was; the address must agree.
  if (interaction.uid !== request.params['uid']) throw new PageFault('expired', 400)
  const parameters: Parameters = interaction.params
  const app = await deps.apps.findByClientId(textOf(parameters, 'client_id') ?? '')
  if (!app) throw refusal('invalid_client')
  return {
    provider,
    uid: interaction.uid,
    path: interactionPath(interaction.uid),
    accountId: interaction.session?.accountId,
    parameters,
    app,
    frame: frameOf(request, deps.host, parameters['lang']),
  }
}
