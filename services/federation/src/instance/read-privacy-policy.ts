import type { PrivacyPolicy } from '@rookery/contracts/federation'
import type { Database } from '@rookery/database'
import { renderDocument } from '@rookery/markup'
import type { Clock } from '@rookery/runtime'
import type { FederationConfig } from '../config.ts'
import type { FederationTables } from '../database/schema.ts'
import { readDatedText } from './dated-text.ts'
import { DEFAULT_POLICIES, DEFAULT_SINCE } from './default-privacy-policy.ts'

type Deps = { database: Database<FederationTables>; config: FederationConfig; clock: Clock }

const defaultIn = (language: string): string | undefined =>
  Object.hasOwn(DEFAULT_POLICIES, language) ? (DEFAULT_POLICIES as Record<string, string>)[language] : undefined

/**
 * The privacy policy as HTML (beyond-the-spec 2.5). If the operator provides none, the built-in one in the requested language, else in the
 * server's first, else in English.
 */
export const readPrivacyPolicy = (deps: Deps) => {
  const { config } = deps
  const read = readDatedText(deps)
  return async (language: string): Promise<PrivacyPolicy> => {
    const own = await read('privacy_policy', config.privacyPolicy)
    if (own) return own
    const text = defaultIn(language) ?? defaultIn(config.languages[0] ?? '') ?? DEFAULT_POLICIES.en
    return { content: renderDocument(text), updatedAtMilliseconds: DEFAULT_SINCE }
  }
}
