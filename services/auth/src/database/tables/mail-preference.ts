import type { Generated } from 'kysely'

/** Of what a person wants mail: of notifications, and of what waits for staff. */
export type MailPreferenceTable = {
  accountId: string
  mention: boolean
  follow: boolean
  followRequest: boolean
  digest: boolean
  report: Generated<boolean>
  appeal: Generated<boolean>
  pendingAccount: Generated<boolean>
  /** The hour since 1970 that `sentInHour` counts. */
  hour: Generated<number>
  sentInHour: Generated<number>
  digestDueAt: Generated<Date | null>
}

/** When staff were mailed last about what of a kind waits for them. */
export type StaffMailRoundTable = { kind: string; sentAt: Date }
