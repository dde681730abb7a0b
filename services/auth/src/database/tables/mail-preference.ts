import type { Generated } from 'kysely'

/** The kinds of mail that an account wants: about notifications and, for staff, about pending items. */
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

/** The last time at which staff were mailed about pending items of a kind. */
export type StaffMailRoundTable = { kind: string; sentAt: Date }
