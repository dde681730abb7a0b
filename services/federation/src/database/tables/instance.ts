import type { Generated } from 'kysely'

/** Names of the texts that describe the instance. */
export type TextName =
  | 'title'
  | 'short_description'
  | 'description'
  | 'extended_description'
  | 'privacy_policy'
  | 'contact_email'
  | 'contact_account'
  | 'color'

/** A stored text that overrides the settings. */
export type InstanceTextTable = { name: TextName; value: string; updatedAt: Generated<Date> }

/** The last known value of a text in the settings, and when it changed. */
export type ConfiguredTextTable = { name: TextName; value: string; changedAt: Date }

/** A rule of this server; those of the settings apply until staff add, change or remove one. */
export type RuleTable = { id: Generated<string>; text: string; hint: Generated<string>; priority: Generated<number> }

/** A rule that staff removed: reports may name it. */
export type RemovedRuleTable = { id: string; text: string; hint: string }

/** A version of the terms of service. The day is YYYY-MM-DD. */
export type TermsOfServiceTable = { effectiveOn: string; text: string; publishedAt: Date }

/** Uses of a picture of the server. */
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
