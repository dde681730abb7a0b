/** Codes and descriptions of OAuth errors, as in Mastodon (spec, Errors 4; beyond-the-spec 1.3). */
const FAULTS = {
  invalid_request: { status: 400, description: 'The request is malformed.' },
  invalid_client: {
    status: 401,
    description:
      'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  },
  invalid_grant: {
    status: 400,
    description:
      'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  },
  invalid_scope: { status: 400, description: 'The requested scope is invalid, unknown, or malformed.' },
  unsupported_response_type: { status: 400, description: 'The authorization server does not support this response type.' },
  unsupported_grant_type: { status: 400, description: 'The authorization grant type is not supported by the authorization server.' },
  unauthorized_client: { status: 403, description: 'You are not authorized to revoke this token' },
  access_denied: { status: 400, description: 'The resource owner or authorization server denied the request.' },
  server_error: { status: 500, description: 'Something went wrong on our end.' },
  temporarily_unavailable: { status: 503, description: 'Service Unavailable' },
} as const

type OAuthCode = keyof typeof FAULTS

/** The description of an error code. */
export const descriptionOf = (code: OAuthCode): string => FAULTS[code].description

/** An error response of the token and revocation endpoints. */
export class OAuthFault extends Error {
  readonly code: OAuthCode
  readonly status: number

  constructor(code: OAuthCode, description: string = FAULTS[code].description) {
    super(description)
    this.name = 'OAuthFault'
    this.code = code
    this.status = FAULTS[code].status
  }

  toJSON(): { error: OAuthCode; error_description: string } {
    return { error: this.code, error_description: this.message }
  }
}

const WRONG: ReadonlySet<OAuthCode> = new Set(['invalid_client', 'invalid_grant', 'unauthorized_client'])

/** Whether an error is that of a wrong secret, code or token. */
export const isWrongCredential = (error: unknown): boolean => error instanceof OAuthFault && WRONG.has(error.code)

/** The fault of a missing parameter. */
export const missing = (name: string): OAuthFault => new OAuthFault('invalid_request', `Missing required parameter: ${name}.`)
