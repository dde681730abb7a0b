import type { Generated } from 'kysely'

/** The browser a sign-in was made with; the sign-in itself is an artifact of the provider with the same uid. */
export type SessionBrowserTable = {
  uid: string
  accountId: string
  userAgent: string
  signedInAt: Date
  /** When they gave their password once more. */
  provedAt: Generated<Date | null>
}
