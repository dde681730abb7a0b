import type { FederationConfig } from '../config.ts'
import type { TextName } from '../database/tables/instance.ts'
import type { StoredRules, StoredText } from './instance.store.ts'

/** The texts that describe the instance. */
type InstanceTexts = Record<TextName, string>

/** The effective texts: the stored ones, else those of the settings. */
export const textsOf = (stored: readonly Pick<StoredText, 'name' | 'value'>[], config: FederationConfig): InstanceTexts => ({
  title: config.title,
  short_description: config.description,
  description: config.description,
  extended_description: config.extendedDescription,
  privacy_policy: config.privacyPolicy,
  contact_email: config.contactEmail,
  contact_account: config.contactAccount,
  color: config.color,
  ...Object.fromEntries(stored.map(({ name, value }) => [name, value])),
})

/** The effective rules: the stored ones; until staff add, change or remove one, those of the settings, numbered from 1. */
export const rulesOf = ({ rules, removed }: StoredRules, config: FederationConfig): StoredRules['rules'] =>
  rules.length > 0 || removed.length > 0 ? [...rules] : config.rules.map((text, index) => ({ id: String(index + 1), text, hint: '' }))
