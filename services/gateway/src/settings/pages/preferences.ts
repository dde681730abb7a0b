import { UpdateAccountRequest } from '@rookery/contracts/statuses'
import { preferencesEntity } from '@rookery/entities'
import { settingsName } from '@rookery/pages'
import { api } from '../../admin/api.ts'
import type { SignedInPage } from '../../admin/page.ts'
import { formPart } from '../../admin/parts.ts'
import { read } from '../../admin/visit.ts'
import { User } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { flag, form, text } from '../../http/fields.ts'
import { SETTINGS_TEXTS } from '../texts/index.ts'

const readPreferences = api('GET /api/v1/preferences')

type Preferences = {
  'posting:default:visibility': string
  'posting:default:sensitive': boolean
  'posting:default:language': string | null
  'posting:default:quote_policy': string
  'reading:expand:media': string
  'reading:expand:spoilers': boolean
  'reading:autoplay:gifs': boolean
}

/** The client API changes only posting defaults, so this is on no public route. */
const changePreferences = endpoint({
  method: 'PATCH',
  path: '/settings/preferences',
  access: User('write:accounts'),
  summary: 'Changes what one’s posts begin with, and how apps begin to show what one reads.',
  input: form({
    privacy: text(),
    quote_policy: text(),
    language: text(),
    sensitive: flag(),
    expand_media: text(),
    expand_spoilers: flag(),
    autoplay_gifs: flag(),
  }),
  handle: async ({ call, input, viewerId }, { accounts }) => {
    const { privacy, language, sensitive } = input
    const reading = { expandMedia: input.expand_media, expandSpoilers: input.expand_spoilers, autoplayGifs: input.autoplay_gifs }
    const change = { accountId: viewerId, privacy, language, sensitive, quotePolicy: input.quote_policy, ...reading }
    return preferencesEntity(await accounts.update(call, UpdateAccountRequest.fromPartial(change)))
  },
})

const PRIVACIES = ['public', 'unlisted', 'private'] as const
const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
const KNOWN = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** ISO 639-1 languages, each by its current code. */
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) => KNOWN.of(code) !== undefined && Intl.getCanonicalLocales(code)[0] === code,
)

/** These languages and the chosen one, by their names in the page's language. */
const languagesOf = (chosen: string, shownIn: string): [string, string][] => {
  const names = new Intl.DisplayNames(shownIn, { type: 'language' })
  const codes = [...new Set([...CODES, chosen])].filter((code) => /^[a-z]{2,3}$/.test(code))
  return codes
    .map((code): [string, string] => [code, names.of(code) ?? code])
    .toSorted(([, one], [, other]) => one.localeCompare(other, shownIn))
}

const EXPANSIONS = ['default', 'show_all', 'hide_all'] as const

/** GET /settings/preferences: defaults for posts, and display preferences for apps. */
export const preferencesPage: SignedInPage = {
  path: '/settings/preferences',
  section: 'preferences',
  access: readPreferences.access,
  async read(visit) {
    const kept = await read<Preferences>(visit, readPreferences)
    const { preferences: texts } = SETTINGS_TEXTS[visit.language]
    const language = kept['posting:default:language'] ?? ''
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
            value: kept['posting:default:visibility'],
            options: PRIVACIES.map((each) => [each, texts.privacies[each]]),
          },
          {
            name: 'quote_policy',
            label: texts.quotePolicy,
            kind: 'choice',
            value: kept['posting:default:quote_policy'],
            options: QUOTE_POLICIES.map((each) => [each, texts.quotePolicies[each]]),
          },
          {
            name: 'language',
            label: texts.language,
            kind: 'choice',
            value: language,
            options: [['', texts.anyLanguage], ...languagesOf(language, visit.language)],
          },
          { name: 'sensitive', label: texts.sensitive, kind: 'check', value: String(kept['posting:default:sensitive']) },
          {
            name: 'expand_media',
            label: texts.expandMedia,
            kind: 'choice',
            value: kept['reading:expand:media'],
            options: EXPANSIONS.map((each) => [each, texts.expansions[each]]),
          },
          { name: 'expand_spoilers', label: texts.expandSpoilers, kind: 'check', value: String(kept['reading:expand:spoilers']) },
          { name: 'autoplay_gifs', label: texts.autoplayGifs, kind: 'check', value: String(kept['reading:autoplay:gifs']) },
        ],
        buttons: [{ label: visit.texts.save }],
      }),
    }
  },
  forms: {
    change: { endpoint: changePreferences, done: 'changed' },
  },
}
