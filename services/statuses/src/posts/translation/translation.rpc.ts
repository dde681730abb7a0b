import type { CachePool } from '@rookery/cache'
import { TranslationsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { translateStatus } from './translate-status.ts'
import { createTranslations } from './translations.ts'
import type { Translator } from './translator.ts'

/** Serves Translations of the contract; without a translator there are no languages. */
export const createTranslationRpc = (deps: {
  database: Database<StatusesTables>
  views: Views
  pool: CachePool
  clock: Clock
  translator: Translator | undefined
}): Handler => {
  const { translator } = deps
  const translations = translator && createTranslations({ ...deps, translator })
  const translate = translateStatus({ ...deps, translations })
  return handler(TranslationsDefinition, {
    translate: (_call, request) => translate(request),
    readLanguages: async () => {
      const languages = translations ? await translations.languages() : new Map<string, string[]>()
      return { sources: [...languages].map(([language, targets]) => ({ language, targets })) }
    },
  })
}
