import type { AdminFile, AdminPage } from './page.ts'
import { accountStatusesPage } from './pages/account-statuses.ts'
import { accountPage, accountsPage, approvalsPage } from './pages/accounts.ts'
import { emailDomainsPage, mailboxesPage, networksPage } from './pages/addresses.ts'
import { announcementPage, announcementsPage } from './pages/announcements.ts'
import { appealsPage } from './pages/appeals.ts'
import { appsPage } from './pages/apps.ts'
import { auditPage } from './pages/audit.ts'
import { allowsPage, domainImportsPage, domainPage, domainsFile, domainsPage } from './pages/domains.ts'
import { emojisPage } from './pages/emojis.ts'
import { failedWorkPage } from './pages/failed-work.ts'
import { invitesPage } from './pages/invites.ts'
import { relaysPage } from './pages/relays.ts'
import { remoteEmojisPage } from './pages/remote-emojis.ts'
import { reportPage, reportsPage } from './pages/reports.ts'
import { deliveriesPage, serversPage } from './pages/servers.ts'
import { appearancePage, rulesPage, termsPage, textsPage } from './pages/settings.ts'
import { startPage } from './pages/start.ts'
import { publishersPage, trendingLinksPage, trendingPostsPage, trendingTagsPage } from './pages/trends.ts'

/** All staff pages, in the order of the navigation. */
export const ADMIN_PAGES: readonly AdminPage[] = [
  startPage,
  approvalsPage,
  reportsPage,
  reportPage,
  appealsPage,
  accountsPage,
  accountPage,
  accountStatusesPage,
  invitesPage,
  domainsPage,
  allowsPage,
  domainImportsPage,
  relaysPage,
  serversPage,
  deliveriesPage,
  domainPage,
  announcementsPage,
  announcementPage,
  trendingTagsPage,
  trendingLinksPage,
  publishersPage,
  trendingPostsPage,
  emailDomainsPage,
  networksPage,
  mailboxesPage,
  emojisPage,
  remoteEmojisPage,
  textsPage,
  appearancePage,
  rulesPage,
  termsPage,
  appsPage,
  failedWorkPage,
  auditPage,
]

/** Files for staff to download. */
export const ADMIN_FILES: readonly AdminFile[] = [domainsFile]
