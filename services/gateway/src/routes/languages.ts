import { Public } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'

const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz']
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Languages of two letters that have a name, as ISO 639-1 codes them; the first of codes for the same language. */
const LANGUAGES = ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second))
  .filter((code) => Intl.getCanonicalLocales(code)[0] === code)
  .map((code) => ({ code, name: names.of(code) }))
  .filter(({ name }, index, all) => name !== undefined && all.findIndex((other) => other.name === name) === index)
  .sort((one, other) => (one.name < other.name ? -1 : 1))

export const readLanguages = endpoint({
  method: 'GET',
  path: '/api/v1/instance/languages',
  access: Public(),
  summary: 'Languages that clients may offer for posts, by their English names.',
  handle: async () => LANGUAGES,
})
