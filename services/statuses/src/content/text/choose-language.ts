import { detectLanguage } from './detect-language.ts'

/** The inputs for a post's language; each may be missing. */
type LanguageChoice = {
  /** The language given with the post. */
  given: string | undefined
  /** The author's default language for posts. */
  preference: string | null
  text: string
  /** The language of the author's interface. */
  locale: string | null
}

/** The language of a post: as given, else the author's default, else detected from its text, else the author's locale (docs/decisions/0009). */
export const chooseLanguage = async ({ given, preference, text, locale }: LanguageChoice): Promise<string | null> =>
  given ?? preference ?? (await detectLanguage(text)) ?? locale
