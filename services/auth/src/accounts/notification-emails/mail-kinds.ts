import { holds, PERMISSIONS, ROLES, type RoleName } from '@rookery/contracts/permissions'
import type { MailKind, StaffMailKind } from '../../web/html/index.ts'

export type { MailKind, StaffMailKind }

/** The kinds of mail that people may choose, as their columns. */
export const MAIL_KINDS = [
  ...(['mention', 'follow', 'followRequest', 'digest'] as const),
  ...(['report', 'appeal', 'pendingAccount'] as const),
] as const satisfies readonly MailKind[]

/** The permission that each kind of mail to staff requires. */
export const STAFF_MAIL_PERMISSIONS: Readonly<Record<StaffMailKind, number>> = {
  report: PERMISSIONS.manageReports,
  appeal: PERMISSIONS.manageAppeals,
  pendingAccount: PERMISSIONS.manageUsers,
}

/** Whether a kind of mail is for staff. */
export const isOfStaff = (kind: MailKind): kind is StaffMailKind => Object.hasOwn(STAFF_MAIL_PERMISSIONS, kind)

/** The kinds of mail that an account with a role can get. */
export const kindsFor = (role: RoleName): MailKind[] =>
  MAIL_KINDS.filter((kind) => !isOfStaff(kind) || holds(ROLES[role].permissions, STAFF_MAIL_PERMISSIONS[kind]))

/** A type of notification that can be mailed. */
export type MailedType = Exclude<MailKind, 'digest' | StaffMailKind>

const OF_TYPES: ReadonlyMap<string, MailedType> = new Map([
  ['mention', 'mention'],
  ['follow', 'follow'],
  ['follow_request', 'followRequest'],
])

/** The kind of mail for a type of notification, undefined for types that are never mailed. */
export const mailedTypeOf = (type: string): MailedType | undefined => OF_TYPES.get(type)

/** Whether an account wants mail, for each kind. */
export type MailChoices = { readonly [Kind in MailKind]: boolean }

/** The choices by default: no mail about notifications, all mail to staff. */
export const DEFAULT_CHOICES: MailChoices = {
  ...{ mention: false, follow: false, followRequest: false, digest: false },
  ...{ report: true, appeal: true, pendingAccount: true },
}
