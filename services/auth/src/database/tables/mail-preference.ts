import type { Generated } from 'kysely'

/** Of which notifications a person wants mail. */
export type MailPreferenceTable = {
  accountId: string
  mention: boolean
  follow: boolean
  followRequest: boolean
  digest: boolean
  /** The hour since 1970 that `sentInHour` counts. */
  hour: Generated<number>
  sentInHour: Generated<number>
  digestDueAt: Generated<Date | null>
}
