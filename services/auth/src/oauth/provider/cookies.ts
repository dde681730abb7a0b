/** The session cookie. */
export const SESSION_COOKIE = 'rookery_session'

/** The cookie that ties an answered approval to the browser. */
export const RESUME_COOKIE = 'rookery_resume'

/** The lifetime of a session after its last use for an authorization: 30 days, in seconds. */
export const SESSION_SECONDS = 30 * 24 * 3600

/** The attributes of all cookies of oidc-provider. */
export const cookieOptions = (baseUrl: string) =>
  ({ httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:'), signed: true }) as const
