import { type Parameters, textOf } from '../../web/http/index.ts'

/** The parameters of GET /oauth/authorize that an app's request consists of. */
export const REQUEST_PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'response_mode',
  'lang',
] as const

const CARRIED = 'authorize'

/** An app's request that waits until a person has signed in: the address it goes on at, and who asks. */
export type AuthorizationRequest = { path: string; clientId: string | undefined; carried: Record<typeof CARRIED, string> }

/** The request out of its parameters. It is kept nowhere: pages on the way carry it in their address. */
export const authorizationRequest = (parameters: Readonly<Record<string, unknown>>): AuthorizationRequest => {
  const known = REQUEST_PARAMETERS.flatMap((name) => (typeof parameters[name] === 'string' ? [[name, parameters[name]]] : []))
  const query = new URLSearchParams(known as [string, string][])
  return {
    path: `/oauth/authorize?${query}`,
    clientId: query.get('client_id') ?? undefined,
    carried: { [CARRIED]: Buffer.from(query.toString()).toString('base64url') },
  }
}

/** The request of an app that the address of a page carries, if any. Everything it holds leads to /oauth/authorize, where it is judged. */
export const carriedRequest = (parameters: Parameters): AuthorizationRequest | undefined => {
  const carried = textOf(parameters, CARRIED)
  if (carried === undefined) return undefined
  const request = authorizationRequest(Object.fromEntries(new URLSearchParams(Buffer.from(carried, 'base64url').toString())))
  return request.clientId === undefined ? undefined : request
}

/** Where a user signs in before an app's request continues, in the language the app asks for. */
export const signInPath = ({ carried }: AuthorizationRequest, lang: unknown): string =>
  `/auth/sign_in?${new URLSearchParams({ ...(typeof lang === 'string' && { lang }), ...carried })}`

/** Where a user is asked to approve an app's request. */
export const interactionPath = (uid: string): string => `/oauth/interaction/${uid}`
