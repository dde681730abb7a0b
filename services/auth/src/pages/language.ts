/** The languages of the pages and of the mail. */
export const LANGUAGES = ['en', 'de', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

const known = (text: string): Language | undefined => {
  const language = text.trim().toLowerCase().split(/[-_]/)[0]
  return LANGUAGES.find((each) => each === language)
}

/** The language closest to a locale (de-AT: de), English when there is none. */
export const languageOf = (locale: string): Language => known(locale) ?? 'en'

/** The language asked for by `lang`, else the one the browser prefers, else English. */
export const chooseLanguage = (lang: unknown, preferred: () => string | false): Language =>
  (typeof lang === 'string' ? known(lang) : undefined) ?? known(preferred() || '') ?? 'en'
