import { type Parameters, textOf } from '../../web/http/index.ts'

/** The parameters of GET /oauth/authorize that make up an authorization request. */
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

/** An authorization request that waits for sign-in: its path, its client, and the parameter that carries it. */
export type AuthorizationRequest = { path: string; clientId: string | undefined; carried: Record<typeof CARRIED, string> }

/** Builds the request from its parameters. It is not stored: pages carry it in their URL. */
export const authorizationRequest = (parameters: Readonly<Record<string, unknown>>): AuthorizationRequest => {
  const known = REQUEST_PARAMETERS.flatMap((name) => (typeof parameters[name] === 'string' ? [[name, parameters[name]]] : []))
  const query = new URLSearchParams(known as [string, string][])
  return {
    path: `/oauth/authorize?${query}`,
    clientId: query.get('client_id') ?? undefined,
    carried: { [CARRIED]: Buffer.from(query.toString()).toString('base64url') },
  }
}

/** The authorization request in the URL of a page, if any. It is untrusted, but leads only to /oauth/authorize, which checks it. */
export const carriedRequest = (parameters: Parameters): AuthorizationRequest | undefined => {
  const carried = textOf(parameters, CARRIED)
  if (carried === undefined) return undefined
  const request = authorizationRequest(Object.fromEntries(new URLSearchParams(Buffer.from(carried, 'base64url').toString())))
  return request.clientId === undefined ? undefined : request
}

/** The sign-in page for an authorization request, in the language of the request. */
export const signInPath = ({ carried }: AuthorizationRequest, lang: unknown): string =>
  `/auth/sign_in?${new URLSearchParams({ ...(typeof lang === 'string' && { lang }), ...carried })}`

/** The approval page of an interaction. */
export const interactionPath = (uid: string): string => `/oauth/interaction/${uid}`
