import type { TranslationConfig } from '../../config.ts'
import { deepl, deeplAddress } from './deepl.ts'
import { libreTranslate } from './libre-translate.ts'
import type { Translator } from './translator.ts'

/** The configured translator, if any. */
export const translatorOf = (config: TranslationConfig | undefined): Translator | undefined => {
  if (!config) return undefined
  const key = config.key?.reveal()
  if (config.provider === 'deepl') return deepl({ address: config.address ?? deeplAddress(key ?? ''), key })
  return libreTranslate({ address: config.address ?? '', key })
}
