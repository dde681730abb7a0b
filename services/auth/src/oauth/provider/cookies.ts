/** The browser's sign-in, kept by the provider under this cookie. */
export const SESSION_COOKIE = 'rookery_session'

/** By this cookie the provider knows which browser an approval continues in. */
export const RESUME_COOKIE = 'rookery_resume'

/** How long a browser stays signed in after it was last used on the way to an app: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 3600

/** The attributes of every cookie of the provider. */
export const cookieOptions = (baseUrl: string) =>
  ({ httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:'), signed: true }) as const
