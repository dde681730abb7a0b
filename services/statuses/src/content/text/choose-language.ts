import { detectLanguage } from './detect-language.ts'

/** What a post's language is chosen from; each may be missing. */
type LanguageChoice = {
  /** A code the author gave with the post. */
  given: string | undefined
  /** What the author posts in unless they say otherwise. */
  preference: string | null
  text: string
  /** What the author reads in. */
  locale: string | null
}

/** The language of a post: as given, else by preference, else by its text, else the author's own (docs/decisions/0009). */
export const chooseLanguage = async ({ given, preference, text, locale }: LanguageChoice): Promise<string | null> =>
  given ?? preference ?? (await detectLanguage(text)) ?? locale
