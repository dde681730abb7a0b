import type { AuthorizationRequest } from './authorization-request.ts'

/** The browser's sign-in, kept by the provider under this cookie. */
export const SESSION_COOKIE = 'rookery_session'

/** By this cookie the provider knows which browser an approval goes on in. */
export const RESUME_COOKIE = 'rookery_resume'

/** How long a browser stays signed in after it was last used on the way to an app: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 3600

/** The way an answer goes back to an app: to the redirect URI as it was registered, or on a page (redirect.ts). */
export const RESPONSE_MODE = 'rookery'

/** Where a person signs in before an app's request goes on, in the language the app asks for. */
export const signInPath = ({ carried }: AuthorizationRequest, lang: unknown): string =>
  `/auth/sign_in?${new URLSearchParams({ ...(typeof lang === 'string' && { lang }), ...carried })}`

/** Where a person is asked whether an app may be let in. */
export const interactionPath = (uid: string): string => `/oauth/interaction/${uid}`
