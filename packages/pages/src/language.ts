/** The languages of the pages and of the mails. */
export const LANGUAGES = ['en', 'de', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

const known = (text: string): Language | undefined => {
  const language = text.trim().toLowerCase().split(/[-_]/)[0]
  return LANGUAGES.find((each) => each === language)
}

/** The language closest to a locale (de-AT: de), or English. */
export const languageOf = (locale: string): Language => known(locale) ?? 'en'

/** The preferred language of an Accept-Language header among those of the pages (RFC 9110, 12.5.4), or English. */
const preferredLanguage = (header: string | undefined): Language => {
  const wanted = (header ?? '').split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';')
    const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
    return { language: known(name), weight: weight === undefined ? 1 : Number(weight) }
  })
  const spoken = wanted.filter(({ language, weight }) => language !== undefined && weight > 0)
  return spoken.toSorted((one, other) => other.weight - one.weight)[0]?.language ?? 'en'
}

/** The language of the query parameter `lang`, else the preferred one of an Accept-Language header, else English. */
export const chooseLanguage = (lang: unknown, header: string | undefined): Language =>
  (typeof lang === 'string' ? known(lang) : undefined) ?? preferredLanguage(header)
