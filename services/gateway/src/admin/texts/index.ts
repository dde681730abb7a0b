import type { Language } from '@rookery/pages'
import { de } from './de.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'
import type { Texts } from './texts.ts'

export type { FinalAct, SectionName, Texts } from './texts.ts'

/** The texts by language. */
export const TEXTS: Record<Language, Texts> = { en, de, fr }

/** The word for a value of the API; the value itself if there is none. */
export const wordFor = (words: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(words, value) ? words[value]! : value
