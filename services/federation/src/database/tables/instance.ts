import type { Generated } from 'kysely'

/** What an instance says of itself, by name. */
export type TextName =
  | 'title'
  | 'short_description'
  | 'description'
  | 'extended_description'
  | 'privacy_policy'
  | 'contact_email'
  | 'contact_account'
  | 'color'

/** A text that takes the place of the settings'. */
export type InstanceTextTable = { name: TextName; value: string; updatedAt: Generated<Date> }

/** A text of the settings as last read, and when it changed. */
export type ConfiguredTextTable = { name: TextName; value: string; changedAt: Date }

/** A rule of this server; those of the settings count while there are none. */
export type RuleTable = { id: Generated<string>; text: string; hint: Generated<string>; priority: Generated<number> }

/** A version of the terms of service. The day is YYYY-MM-DD. */
export type TermsOfServiceTable = { effectiveOn: string; text: string; publishedAt: Date }

/** What a picture of the server is for. */
export type PictureKind = 'thumbnail' | 'icon'

/** A picture of the server; the digest changes with its bytes. */
export type InstancePictureTable = {
  kind: PictureKind
  contentType: string
  width: number
  height: number
  digest: string
  content: Buffer
}
