import type { Translation } from '@rookery/contracts/statuses'
import { LRUCache } from 'lru-cache'
import { type Original, textsOf, translationOf } from './texts.rules.ts'
import type { Translator } from './translator.ts'

/** Translations kept in memory. */
const MOST_KEPT = 1000
/** Milliseconds for which a provider's languages are believed. */
const LANGUAGES_KEPT = 3_600_000

/** Translations by what was asked, each asked for once however many want it at once; what fails is forgotten. */
export const createTranslations = (translator: Translator) => {
  const kept = new LRUCache<string, Promise<Translation>>({ max: MOST_KEPT })
  const languages = new LRUCache<string, Promise<Map<string, string[]>>>({ max: 1, ttl: LANGUAGES_KEPT })

  const remembered = <Value extends object>(cache: LRUCache<string, Promise<Value>>, key: string, ask: () => Promise<Value>) => {
    const known = cache.get(key)
    if (known) return known
    const asked = ask()
    cache.set(key, asked)
    asked.catch(() => cache.delete(key))
    return asked
  }

  /** Asks for the texts there are; empty ones stay empty. */
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

  return {
    languages: () => remembered(languages, 'all', () => translator.languages()),
    /** A status of a version in a language. */
    translate: (original: Original, version: number, language: string) =>
      remembered(kept, `${original.id}:${version}:${language}`, () => ask(original, language)),
  }
}

export type KeptTranslations = ReturnType<typeof createTranslations>
