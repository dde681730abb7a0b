import { holds, PERMISSIONS } from '@rookery/contracts/permissions'
import { settingsNavigation } from '@rookery/pages'
import type { SignedInPage, Site } from '../admin/page.ts'
import { filtersPage } from './pages/filters.ts'
import { oldPostsPage } from './pages/old-posts.ts'
import { preferencesPage } from './pages/preferences.ts'
import { profilePage } from './pages/profile.ts'
import { pushPage } from './pages/push.ts'
import { tagsPage } from './pages/tags.ts'
import { SECTIONS, type Section } from './sections.ts'

const PAGES: readonly SignedInPage[] = [
  // The page at the root path.
  { ...profilePage, path: '/settings' },
  profilePage,
  preferencesPage,
  filtersPage,
  tagsPage,
  oldPostsPage,
  pushPage,
]

const sectionOf = ({ section }: SignedInPage): Section => SECTIONS.find((each) => each === section) ?? 'profile'

/** The account's settings, except those of the login: those are pages of auth, under the same navigation. */
export const SETTINGS: Site = {
  root: '/settings',
  pages: PAGES,
  files: [],
  navigation: ({ language, holder }, page) => {
    const isStaff = holds(holder.permissions, PERMISSIONS.viewDashboard)
    // Not by `holds`: administrators have every permission, but no one may invite people if the setting forbids it.
    const mayInvite = (holder.permissions & PERMISSIONS.inviteUsers) !== 0
    return { above: settingsNavigation(language, { current: sectionOf(page), isStaff, mayInvite }), below: undefined }
  },
}
