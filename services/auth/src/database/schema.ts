import type { EventTables } from '@rookery/events'
import type { AppTable } from '../apps/app.tables.ts'
import type { ConfirmationTokenTable } from '../confirmations/confirmation.tables.ts'
import type { EmailChangeTable } from '../email-changes/email-change.tables.ts'
import type { ImportLineTable, ImportTable } from '../imports/import.tables.ts'
import type { LoginTable, SignInWeekTable } from '../logins/login.tables.ts'
import type { PasswordResetTable } from '../passwords/reset.tables.ts'
import type { ArtifactTable } from '../provider/artifact.tables.ts'
import type { ProviderKeyTable } from '../provider/key.tables.ts'
import type { SessionBrowserTable } from '../provider/session.tables.ts'
import type { SignUpAttemptTable } from '../registrations/attempt.tables.ts'
import type { AccessTokenTable } from '../tokens/token.tables.ts'

/** The tables of the schema `auth`. */
export type AuthTables = EventTables & {
  login: LoginTable
  sign_in_week: SignInWeekTable
  sign_up_attempt: SignUpAttemptTable
  confirmation_token: ConfirmationTokenTable
  password_reset: PasswordResetTable
  email_change: EmailChangeTable
  import: ImportTable
  import_line: ImportLineTable
  session_browser: SessionBrowserTable
  app: AppTable
  access_token: AccessTokenTable
  oidc_artifact: ArtifactTable
  provider_key: ProviderKeyTable
}
