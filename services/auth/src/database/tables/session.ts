import type { Generated } from 'kysely'

/** The browser of a sign-in; the sign-in itself is an artifact of oidc-provider with the same uid. */
export type SessionBrowserTable = {
  uid: string
  accountId: string
  userAgent: string
  signedInAt: Date
  /** When the password was last confirmed. */
  provedAt: Generated<Date | null>
}
