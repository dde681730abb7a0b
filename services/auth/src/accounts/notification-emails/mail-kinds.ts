import type { MailKind } from '../../web/html/index.ts'

export type { MailKind }

/** The kinds of mail about notifications that people may ask for, as their columns. */
export const MAIL_KINDS = ['mention', 'follow', 'followRequest', 'digest'] as const satisfies readonly MailKind[]

/** A type of notification that can be mailed. */
export type MailedType = Exclude<MailKind, 'digest'>

const OF_TYPES: ReadonlyMap<string, MailedType> = new Map([
  ['mention', 'mention'],
  ['follow', 'follow'],
  ['follow_request', 'followRequest'],
])

/** The kind of mail for a type of notification, undefined for types that are never mailed. */
export const mailedTypeOf = (type: string): MailedType | undefined => OF_TYPES.get(type)

/** Of which kinds a person wants mail. */
export type MailChoices = { readonly [Kind in MailKind]: boolean }

/** The choices of those who never made any. */
export const NO_MAIL: MailChoices = { mention: false, follow: false, followRequest: false, digest: false }
