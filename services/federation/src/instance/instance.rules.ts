import type { FederationConfig } from '../config.ts'
import type { TextName } from '../database/tables/instance.ts'
import type { StoredText } from './instance.store.ts'

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

type Rule = { id: string; text: string; hint: string }

/** The effective rules: the stored ones; while there are none, those of the settings, numbered from 1. */
export const rulesOf = (stored: readonly Rule[], config: FederationConfig): Rule[] =>
  stored.length > 0 ? [...stored] : config.rules.map((text, index) => ({ id: String(index + 1), text, hint: '' }))

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const blockOf = (block: string): string => {
  const lines = block.split('\n')
  if (lines.length === 1 && block.startsWith('# ')) return `<h2>${block.slice(2)}</h2>`
  if (lines.every((line) => line.startsWith('- '))) return `<ul>${lines.map((line) => `<li>${line.slice(2)}</li>`).join('')}</ul>`
  return `<p>${lines.join('<br />')}</p>`
}

/** Plain text as HTML: blank lines separate paragraphs; a single line that begins with `# ` is a heading, lines with `- ` are a list. */
export const paragraphs = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter(Boolean)
    .map(blockOf)
    .join('')
