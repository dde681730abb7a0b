import { type Html, html } from './html.ts'
import type { Language } from './language.ts'

/** The sections of the settings of one's account, and where each begins. auth serves some of them, the gateway the others. */
const SECTIONS = {
  profile: '/settings/profile',
  preferences: '/settings/preferences',
  filters: '/settings/filters',
  tags: '/settings/tags',
  push: '/settings/push',
  mail: '/auth/account/mail',
  login: '/auth/account',
  security: '/auth/account/second_factor',
  data: '/auth/account/data',
  move: '/auth/account/move',
  deletion: '/auth/account/delete',
} as const

export type SettingsSection = keyof typeof SECTIONS

type Names = Record<SettingsSection | 'label' | 'staff', string>

const NAMES: Record<Language, Names> = {
  en: {
    label: 'Settings',
    profile: 'Profile',
    preferences: 'Preferences',
    filters: 'Filters',
    tags: 'Followed hashtags',
    push: 'Push',
    mail: 'E-mail',
    login: 'Login, browsers and apps',
    security: 'Second factor and passkeys',
    data: 'Export and import',
    move: 'Move',
    deletion: 'Deletion',
    staff: 'Administration',
  },
  de: {
    label: 'Einstellungen',
    profile: 'Profil',
    preferences: 'Vorgaben',
    filters: 'Filter',
    tags: 'Gefolgte Hashtags',
    push: 'Push',
    mail: 'E-Mail',
    login: 'Anmeldung, Browser und Apps',
    security: 'Zweiter Faktor und Passkeys',
    data: 'Export und Import',
    move: 'Umzug',
    deletion: 'Löschung',
    staff: 'Verwaltung',
  },
  fr: {
    label: 'Paramètres',
    profile: 'Profil',
    preferences: 'Préférences',
    filters: 'Filtres',
    tags: 'Hashtags suivis',
    push: 'Push',
    mail: 'Courriel',
    login: 'Connexion, navigateurs et applications',
    security: 'Second facteur et clés d’accès',
    data: 'Export et import',
    move: 'Déménagement',
    deletion: 'Suppression',
    staff: 'Administration',
  },
}

/** What a section is called. */
export const settingsName = (language: Language, section: SettingsSection): string => NAMES[language][section]

/** The links to all sections, of which this page's is marked, and for staff one to their pages. */
export const settingsNavigation = (language: Language, { current, isStaff }: { current: SettingsSection; isStaff: boolean }): Html => {
  const names = NAMES[language]
  const sections = Object.entries(SECTIONS) as [SettingsSection, string][]
  const links = sections.map(
    ([section, path]) => html`<a href="${path}?lang=${language}"${section === current && html` aria-current="page"`}>${names[section]}</a>`,
  )
  return html`<nav class="sections" aria-label="${names.label}">${links}${isStaff && html`<a href="/admin?lang=${language}">${names.staff}</a>`}</nav>`
}
