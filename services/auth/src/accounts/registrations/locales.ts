/** Languages that people may choose for mail. Those without translated texts fall back to English. */
const CODES = `
  af an ar ast az be bg bn br bs ca ckb co cs cy da de el en en-GB eo es es-AR es-MX et eu fa fi fo fr fr-CA fy ga gd gl he hi hr hu hy
  ia id ie ig io is it ja ka kab kk kn ko ku kw la lt lv mk ml mr ms my nan nl nn no oc pa pl pt-BR pt-PT ro ru sa sc sco si sk sl sq sr
  sr-Latn sv szl ta te th tok tr tt ug uk ur uz vi zgh zh-CN zh-HK zh-TW`

const LOCALES: ReadonlyMap<string, string> = new Map(
  CODES.split(/\s+/)
    .filter(Boolean)
    .map((code) => [code.toLowerCase(), code]),
)

/** The default country of languages that need one. */
const DEFAULT_COUNTRIES: Record<string, string> = { pt: 'pt-PT', zh: 'zh-CN' }

/** The supported locale of a text, with or without its country; undefined if there is none. */
export const localeOf = (text: string): string | undefined => {
  const name = text.trim().replace(/_/g, '-').toLowerCase()
  const language = name.split('-')[0] ?? ''
  return (
    LOCALES.get(name) ?? LOCALES.get(language) ?? (Object.hasOwn(DEFAULT_COUNTRIES, language) ? DEFAULT_COUNTRIES[language] : undefined)
  )
}
