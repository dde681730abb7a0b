import type { Language } from '@rookery/pages'
import { de } from './de.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'
import type { Texts } from './texts.ts'

export type { FaultName, MailKind, NoticeKind, StaffMailKind, Texts } from './texts.ts'

const ALL: Record<Language, Texts> = { en, de, fr }

/** What pages and mail say in a language. */
export const textsOf = (language: Language): Texts => ALL[language]
