import { type Html, html } from './html.ts'
import type { Language } from './language.ts'

/** The sections of the account's settings, and their paths. auth serves some of them, the gateway the others. */
const SECTIONS = {
  profile: '/settings/profile',
  preferences: '/settings/preferences',
  filters: '/settings/filters',
  tags: '/settings/tags',
  oldPosts: '/settings/old_posts',
  push: '/settings/push',
  mail: '/auth/account/mail',
  login: '/auth/account',
  security: '/auth/account/second_factor',
  data: '/auth/account/data',
  invites: '/auth/account/invites',
  strikes: '/disputes/strikes',
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
    oldPosts: 'Old posts',
    push: 'Push',
    mail: 'E-mail',
    login: 'Login, browsers and apps',
    security: 'Second factor and passkeys',
    data: 'Export and import',
    invites: 'Invitations',
    strikes: 'Warnings and appeals',
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
    oldPosts: 'Alte Beiträge',
    push: 'Push',
    mail: 'E-Mail',
    login: 'Anmeldung, Browser und Apps',
    security: 'Zweiter Faktor und Passkeys',
    data: 'Export und Import',
    invites: 'Einladungen',
    strikes: 'Verwarnungen und Einsprüche',
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
    oldPosts: 'Anciens messages',
    push: 'Push',
    mail: 'Courriel',
    login: 'Connexion, navigateurs et applications',
    security: 'Second facteur et clés d’accès',
    data: 'Export et import',
    invites: 'Invitations',
    strikes: 'Avertissements et recours',
    move: 'Déménagement',
    deletion: 'Suppression',
    staff: 'Administration',
  },
}

/** The name of a section. */
export const settingsName = (language: Language, section: SettingsSection): string => NAMES[language][section]

/** The current section, and which links the person may see. */
type Navigation = { current: SettingsSection; isStaff: boolean; mayInvite: boolean }

/** The links to all sections that the person has, with the current one marked, and for staff a link to their pages. */
export const settingsNavigation = (language: Language, { current, isStaff, mayInvite }: Navigation): Html => {
  const names = NAMES[language]
  const all = Object.entries(SECTIONS) as [SettingsSection, string][]
  const sections = all.filter(([section]) => section !== 'invites' || mayInvite)
  const links = sections.map(
    ([section, path]) => html`<a href="${path}?lang=${language}"${section === current && html` aria-current="page"`}>${names[section]}</a>`,
  )
  return html`<nav class="sections" aria-label="${names.label}">${links}${isStaff && html`<a href="/admin?lang=${language}">${names.staff}</a>`}</nav>`
}
