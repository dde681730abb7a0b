import type { BarredNetworksTable } from '@rookery/barred-networks'
import type { EventTables } from '@rookery/events'
import type { CanonicalEmailBlockTable, EmailDomainBlockTable, EmailDomainBlockUseTable, IpBlockTable } from './tables/address-block.ts'
import type { AppTable } from './tables/app.ts'
import type { AppealTable } from './tables/appeal.ts'
import type { ArtifactTable } from './tables/artifact.ts'
import type { SignUpAttemptTable } from './tables/attempt.ts'
import type { ConfirmationTokenTable } from './tables/confirmation.ts'
import type { EmailChangeTable } from './tables/email-change.ts'
import type { IdempotentRequestTable } from './tables/idempotent-request.ts'
import type { ImportLineTable, ImportTable } from './tables/import.ts'
import type { InviteeTable, InviteTable } from './tables/invite.ts'
import type { ProviderKeyTable } from './tables/key.ts'
import type { LoginTable, SeenDayTable, SignInWeekTable } from './tables/login.ts'
import type { MailPreferenceTable, StaffMailRoundTable } from './tables/mail-preference.ts'
import type { AnsweredChallengeTable, PasskeyTable } from './tables/passkey.ts'
import type { PasswordResetTable } from './tables/reset.ts'
import type { RecoveryCodeTable, SecondFactorTable } from './tables/second-factor.ts'
import type { SessionBrowserTable } from './tables/session.ts'
import type { StaffActTable, UnfinishedActTable } from './tables/staff-act.ts'
import type { TermsVersionTable } from './tables/terms-version.ts'
import type { AccessTokenTable } from './tables/token.ts'

/** The tables of the schema `auth`. */
export type AuthTables = EventTables & {
  barredNetworks: BarredNetworksTable
  login: LoginTable
  signInWeek: SignInWeekTable
  seenDay: SeenDayTable
  signUpAttempt: SignUpAttemptTable
  confirmationToken: ConfirmationTokenTable
  passwordReset: PasswordResetTable
  emailChange: EmailChangeTable
  import: ImportTable
  importLine: ImportLineTable
  mailPreference: MailPreferenceTable
  staffMailRound: StaffMailRoundTable
  secondFactor: SecondFactorTable
  recoveryCode: RecoveryCodeTable
  passkey: PasskeyTable
  answeredChallenge: AnsweredChallengeTable
  sessionBrowser: SessionBrowserTable
  staffAct: StaffActTable
  unfinishedAct: UnfinishedActTable
  appeal: AppealTable
  invite: InviteTable
  invitee: InviteeTable
  app: AppTable
  accessToken: AccessTokenTable
  idempotentRequest: IdempotentRequestTable
  oidcArtifact: ArtifactTable
  providerKey: ProviderKeyTable
  emailDomainBlock: EmailDomainBlockTable
  emailDomainBlockUse: EmailDomainBlockUseTable
  ipBlock: IpBlockTable
  canonicalEmailBlock: CanonicalEmailBlockTable
  termsVersion: TermsVersionTable
}
