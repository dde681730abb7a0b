import type { Cache, CachePool } from '@rookery/cache'
import type { Translation } from '@rookery/contracts/statuses'
import type { Clock } from '@rookery/runtime'
import { type Original, textsOf, translationOf } from './texts.rules.ts'
import type { Translator } from './translator.ts'

/** TTL of a provider's languages, in milliseconds. */
const LANGUAGES_KEPT = 3_600_000

type Languages = { readonly until: number; readonly targets: Map<string, string[]> }

/** A cache that makes one request for concurrent readers of a missing entry, and caches no failures. */
const remembered = <Value extends object>(cache: Cache<Value>, isUsable?: (value: Value) => boolean) => {
  const asking = new Map<string, Promise<Value>>()
  return async (key: string, ask: () => Promise<Value>): Promise<Value> => {
    const known = cache.get(key, isUsable)
    if (known) return known
    const asked = asking.get(key) ?? ask().finally(() => asking.delete(key))
    asking.set(key, asked)
    const value = await asked
    cache.set(key, value)
    return value
  }
}

/** Cached translations and languages. */
export const createTranslations = ({ translator, pool, clock }: { translator: Translator; pool: CachePool; clock: Clock }) => {
  const translations = remembered(pool.cache<Translation>('translations'))
  const languages = remembered(pool.cache<Languages>('languages'), ({ until }) => until > clock.now())

  /** Translates the texts that are not empty. */
  const ask = async (original: Original, language: string): Promise<Translation> => {
    const all = textsOf(original)
    const texts = all.filter((text) => text !== '')
    const { source } = original
    const none = { texts: [] as string[], detectedSource: source }
    const translated = texts.length > 0 ? await translator.translate(texts, { source, target: language }) : none
    const answers = translated.texts.values()
    const whole = all.map((text) => (text === '' ? '' : (answers.next().value ?? '')))
    return translationOf(original, { ...translated, texts: whole }, { provider: translator.provider, language })
  }

  const askLanguages = async () => ({ until: clock.now() + LANGUAGES_KEPT, targets: await translator.languages() })

  return {
    languages: async () => (await languages('all', askLanguages)).targets,
    /** The translation of one version of a status. */
    translate: (original: Original, version: number, language: string) =>
      translations(`${original.id}:${version}:${language}`, () => ask(original, language)),
  }
}

export type KeptTranslations = ReturnType<typeof createTranslations>
