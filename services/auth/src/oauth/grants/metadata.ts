import { ALL_SCOPES } from '@rookery/contracts/scopes'
import type { RequestHandler } from 'express'
import { RESPONSE_MODES } from './response-modes.ts'

/** The document of GET /.well-known/oauth-authorization-server (RFC 8414; beyond-the-spec 1.3). */
export const metadata = (baseUrl: string): Record<string, unknown> => ({
  issuer: `${baseUrl}/`,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
  app_registration_endpoint: `${baseUrl}/api/v1/apps`,
  scopes_supported: [...ALL_SCOPES],
  response_types_supported: ['code'],
  response_modes_supported: RESPONSE_MODES,
  grant_types_supported: ['authorization_code', 'client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  service_documentation: 'https://docs.joinmastodon.org/',
})

/** Serves the document. */
export const metadataEndpoint = (baseUrl: string): RequestHandler => {
  const document = metadata(baseUrl)
  return (_request, response) => {
    response.json(document)
  }
}
