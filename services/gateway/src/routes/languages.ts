import { Public } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'

const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz']
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** ISO 639-1 languages with a name, one code for each. */
const NAMED = new Map(
  ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second))
    .filter((code) => Intl.getCanonicalLocales(code)[0] === code)
    .flatMap((code) => {
      const name = names.of(code)
      return name === undefined ? [] : [[name, code] as const]
    }),
)
const LANGUAGES = [...NAMED].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, code]) => ({ code, name }))

export const readLanguages = endpoint({
  method: 'GET',
  path: '/api/v1/instance/languages',
  access: Public(),
  summary: 'Languages that clients may offer for posts, by their English names.',
  handle: async () => LANGUAGES,
})
