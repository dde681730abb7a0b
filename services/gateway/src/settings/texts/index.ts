import type { Language } from '@rookery/pages'
import { de } from './de.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'
import type { SettingsTexts } from './texts.ts'

/** The texts of the settings pages by language. */
export const SETTINGS_TEXTS: Record<Language, SettingsTexts> = { en, de, fr }
