import { settingsName } from '@rookery/pages'
import { api } from '../../admin/api.ts'
import type { SignedInPage } from '../../admin/page.ts'
import { formPart } from '../../admin/parts.ts'
import { read } from '../../admin/visit.ts'
import { SETTINGS_TEXTS } from '../texts/index.ts'

const readCredentials = api('GET /api/v1/accounts/verify_credentials')

type Credentials = { source: { privacy: string; sensitive: boolean; language: string | null; quote_policy: string } }

const PRIVACIES = ['public', 'unlisted', 'private'] as const
const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const KNOWN = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** The languages with a code of two letters (ISO 639-1), each under the code in use. */
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) => KNOWN.of(code) !== undefined && Intl.getCanonicalLocales(code)[0] === code,
)

/** These languages and the one that is chosen, by their names in another. */
const languagesOf = (chosen: string, shownIn: string): [string, string][] => {
  const names = new Intl.DisplayNames(shownIn, { type: 'language' })
  const codes = [...new Set([...CODES, chosen])].filter((code) => /^[a-z]{2,3}$/.test(code))
  return codes
    .map((code): [string, string] => [code, names.of(code) ?? code])
    .toSorted(([, one], [, other]) => one.localeCompare(other, shownIn))
}

/** GET /settings/preferences: what posts begin with. */
export const preferencesPage: SignedInPage = {
  path: '/settings/preferences',
  section: 'preferences',
  access: readCredentials.access,
  async read(visit) {
    const { source } = await read<Credentials>(visit, readCredentials)
    const { preferences: texts } = SETTINGS_TEXTS[visit.language]
    const language = source.language ?? ''
    return {
      title: settingsName(visit.language, 'preferences'),
      lead: texts.lead,
      body: formPart(visit, {
        form: 'change',
        fields: [
          {
            name: 'privacy',
            label: texts.privacy,
            kind: 'choice',
            value: source.privacy,
            options: PRIVACIES.map((each) => [each, texts.privacies[each]]),
          },
          {
            name: 'quote_policy',
            label: texts.quotePolicy,
            kind: 'choice',
            value: source.quote_policy,
            options: QUOTE_POLICIES.map((each) => [each, texts.quotePolicies[each]]),
          },
          {
            name: 'language',
            label: texts.language,
            kind: 'choice',
            value: language,
            options: [['', texts.anyLanguage], ...languagesOf(language, visit.language)],
          },
          { name: 'sensitive', label: texts.sensitive, kind: 'check', value: String(source.sensitive) },
        ],
        buttons: [{ label: visit.texts.save }],
      }),
    }
  },
  forms: {
    change: {
      endpoint: api('PATCH /api/v1/profile'),
      done: 'changed',
      values: ({ privacy, quote_policy, language, sensitive }) => ({ source: { privacy, quote_policy, language, sensitive } }),
    },
  },
}
