const LONGEST = 35
const TAG = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/i

const NAMES = {
  language: new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }),
  script: new Intl.DisplayNames('en', { type: 'script', fallback: 'none' }),
  region: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
}

/** Languages of ISO 639-3 that clients offer and ICU has no name for: Láadan and Balaibalan. */
const UNNAMED: ReadonlySet<string> = new Set(['ldn', 'zba'])

const isKnown = (kind: keyof typeof NAMES, code: string | undefined): code is string =>
  code !== undefined && NAMES[kind].of(code) !== undefined

const localeOf = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(tag)
  } catch {
    // The language is well-formed, but not the rest.
    return tag.includes('-') ? localeOf(tag.slice(0, tag.indexOf('-'))) : undefined
  }
}

/**
 * The canonical code of a language sent by a client: ISO 639, with script and region if given (`pt-BR`). Undefined if it is not a language; an
 * unknown script, region or variant is left out.
 */
export const languageCode = (typed: string): string | undefined => {
  const tag = typed.trim()
  if (tag.length > LONGEST || !TAG.test(tag)) return undefined
  const locale = localeOf(tag.replaceAll('_', '-').replace(/^zh-yue/i, 'yue'))
  if (!locale || !(UNNAMED.has(locale.language) || isKnown('language', locale.language))) return undefined
  const { language, script, region } = locale
  return [language, ...(isKnown('script', script) ? [script] : []), ...(isKnown('region', region) ? [region] : [])].join('-')
}
