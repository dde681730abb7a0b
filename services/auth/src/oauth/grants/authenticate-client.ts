import type { IncomingMessage } from 'node:http'
import { type Parameters, textsOf } from '../../web/http/index.ts'
import type { App, Apps } from '../apps/index.ts'
import { OAuthFault } from './faults.ts'

type Credentials = { clientId: string | undefined; clientSecret: string | undefined }

/** Form-decoded (RFC 6749, 2.3.1). */
const decoded = (text: string) => {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    throw new OAuthFault('invalid_client')
  }
}

/** The credentials of HTTP Basic; undefined for another scheme or none. */
const basicOf = (header: string | undefined): Credentials | undefined => {
  const encoded = /^Basic +([A-Za-z0-9+/_=-]+) *$/i.exec(header ?? '')?.[1]
  if (!encoded) return undefined
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  return { clientId: decoded(id), clientSecret: decoded(secret.join(':')) }
}

const agree = (a: string | undefined, b: string | undefined) => a === undefined || b === undefined || a === b

/** The client credentials, in parameters, by HTTP Basic or both. @throws OAuthFault if both differ */
const credentialsOf = (request: IncomingMessage, parameters: Parameters): Credentials => {
  const { client_id: clientId, client_secret: clientSecret } = textsOf(parameters, ['client_id', 'client_secret'])
  const basic = basicOf(request.headers.authorization)
  if (!basic) return { clientId, clientSecret }
  if (!agree(clientId, basic.clientId) || !agree(clientSecret, basic.clientSecret)) throw new OAuthFault('invalid_client')
  return basic
}

/** An authenticated app and its secret. */
export type AuthenticatedApp = { app: App; clientSecret: string }

/** Authenticates the app of a request. @throws OAuthFault invalid_client */
export const authenticateClient =
  (deps: { apps: Apps }) =>
  async (request: IncomingMessage, parameters: Parameters): Promise<AuthenticatedApp> => {
    const { clientId, clientSecret } = credentialsOf(request, parameters)
    if (!clientId || !clientSecret) throw new OAuthFault('invalid_client')
    const app = await deps.apps.authenticate({ clientId, clientSecret })
    if (!app) throw new OAuthFault('invalid_client')
    return { app, clientSecret }
  }
