/** The browser's sign-in, kept by the provider under this cookie. */
export const SESSION_COOKIE = 'rookery_session'

/** How long a browser stays signed in after it was last used on the way to an app: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 3600

/** The way an answer goes back to an app: to the redirect URI as it was registered, or on a page (redirect.ts). */
export const RESPONSE_MODE = 'rookery'

/** Where a person is asked something on the way to an app. */
export const interactionPath = (uid: string): string => `/oauth/interaction/${uid}`
