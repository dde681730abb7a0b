import type { EventTables } from '@rookery/events'
import type { AppTable } from './tables/app.ts'
import type { ArtifactTable } from './tables/artifact.ts'
import type { SignUpAttemptTable } from './tables/attempt.ts'
import type { ConfirmationTokenTable } from './tables/confirmation.ts'
import type { EmailChangeTable } from './tables/email-change.ts'
import type { ImportLineTable, ImportTable } from './tables/import.ts'
import type { ProviderKeyTable } from './tables/key.ts'
import type { LoginTable, SignInWeekTable } from './tables/login.ts'
import type { PasswordResetTable } from './tables/reset.ts'
import type { SessionBrowserTable } from './tables/session.ts'
import type { AccessTokenTable } from './tables/token.ts'

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
