import type { RequestListener } from 'node:http'
import type { AccountsDefinition, MovesDefinition, StaffReportsDefinition, StaffStatusesDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { createBarredNetworks } from '@rookery/http'
import type { Client } from '@rookery/rpc'
import type { Clock, Logger } from '@rookery/runtime'
import type { Request } from 'express'
import type { AccountDeletions } from './accounts/deletions/index.ts'
import type { DataExport } from './accounts/exports/index.ts'
import type { Imports } from './accounts/imports/index.ts'
import type { Invites } from './accounts/invites/index.ts'
import type { NotificationEmails } from './accounts/notification-emails/index.ts'
import type { Registrations } from './accounts/registrations/index.ts'
import type { Terms } from './accounts/terms/index.ts'
import { createApp } from './app.ts'
import type { AuthConfig } from './config.ts'
import type { Confirmations } from './credentials/confirmations/index.ts'
import type { EmailChanges } from './credentials/email-changes/index.ts'
import type { Passkeys } from './credentials/passkeys/index.ts'
import type { Passwords } from './credentials/passwords/index.ts'
import type { SecondFactors } from './credentials/second-factors/index.ts'
import type { AuthTables } from './database/schema.ts'
import type { FederationClients } from './federation-clients.ts'
import type { Logins } from './logins/index.ts'
import type { AccountActs } from './moderation/index.ts'
import type { Apps } from './oauth/apps/index.ts'
import { metadataEndpoint, revokeEndpoint, tokenEndpoint } from './oauth/grants/index.ts'
import {
  approvalPages,
  authorizeEndpoint,
  type BrowserSessions,
  createBrowserSessions,
  type Keys,
  lazyProvider,
  nativeCodeEndpoint,
  renderProviderError,
  resumeEndpoint,
  type Sessions,
} from './oauth/provider/index.ts'
import type { Tokens } from './oauth/tokens/index.ts'
import { keptDestination } from './settings/destination/index.ts'
import { createAccountPages } from './settings/pages/index.ts'
import { confirmationPages, createBarred, createMailSent, createSignUp, invitePages, signUpPages } from './settings/sign-up/index.ts'
import type { Throttle } from './throttle.ts'
import { createFormTokens, createTickets, frameOf, type RouteLimits } from './web/http/index.ts'

type Deps = {
  database: Database<AuthTables>
  clock: Clock
  log: Logger
  config: AuthConfig
  statuses: {
    accounts: Client<AccountsDefinition>
    moves: Client<MovesDefinition>
    staffReports: Client<StaffReportsDefinition>
    staffStatuses: Client<StaffStatusesDefinition>
  }
  acts: AccountActs
  federation: FederationClients
  logins: Logins
  apps: Apps
  tokens: Tokens
  confirmations: Confirmations
  registrations: Registrations
  passwords: Passwords
  passkeys: Passkeys
  secondFactors: SecondFactors
  emailChanges: EmailChanges
  deletions: AccountDeletions
  dataExport: DataExport
  imports: Imports
  invites: Invites
  terms: Terms
  notificationEmails: NotificationEmails
  keys: () => Promise<Keys>
  sessions: Sessions
  provider: ReturnType<typeof lazyProvider>
  browserSessions: BrowserSessions
  throttle: Throttle
  limits: RouteLimits
  readBarred: () => Promise<readonly string[]>
  /** Whether password links can be mailed. */
  canSendMail: boolean
}

const faultLogger = (log: Logger) => (error: unknown) => log.error({ err: error }, 'unhandled error in page or OAuth endpoint')

/** oidc-provider, and the browser sessions that it stores. */
export const openSignIns = (deps: Pick<Deps, 'database' | 'clock' | 'log' | 'config' | 'apps' | 'keys' | 'sessions' | 'logins'>) => {
  const { baseUrl } = deps.config
  const provider = lazyProvider({
    ...deps,
    baseUrl,
    cookieKeys: async () => (await deps.keys()).cookies,
    isActive: deps.logins.isActive,
    renderError: renderProviderError(new URL(baseUrl).host),
    onFault: faultLogger(deps.log),
  })
  return { provider, browserSessions: createBrowserSessions({ ...deps, baseUrl, provider, isActive: deps.logins.isActive }) }
}

/** The public side of this service: pages and OAuth endpoints. */
export const publicSide = (deps: Deps): RequestListener => {
  const { config, log, keys } = deps
  const { host, protocol } = new URL(config.baseUrl)
  const onFault = faultLogger(log)
  const formKeys = async () => (await keys()).forms
  const isSecure = protocol === 'https:'
  const shared = {
    ...deps,
    host,
    baseUrl: config.baseUrl,
    maySignUp: config.registrations !== 'closed',
    formTokens: createFormTokens({ keys: formKeys, isSecure }),
    destination: keptDestination({ isSecure }),
    tickets: createTickets({ keys: formKeys, purpose: 'ticket' }),
    passkeyTickets: createTickets({ keys: formKeys, purpose: 'passkey' }),
    appealTickets: createTickets({ keys: formKeys, purpose: 'appeal' }),
    factorTickets: createTickets({ keys: formKeys, purpose: 'second factor' }),
    frameOf: (request: Request) => frameOf(request, host),
  }
  const mailSent = createMailSent(shared)
  const barred = createBarred(shared)
  const signUp = createSignUp({ ...shared, mailSent })
  return createApp({
    authorize: authorizeEndpoint(shared),
    resume: resumeEndpoint(shared),
    nativeCode: nativeCodeEndpoint(shared),
    token: tokenEndpoint(shared),
    revoke: revokeEndpoint(shared),
    metadata: metadataEndpoint(config.baseUrl),
    interactions: approvalPages(shared),
    signUp: signUpPages({ ...shared, signUp }),
    invite: invitePages({ ...shared, signUp }),
    confirmation: confirmationPages(shared),
    resend: mailSent.resend,
    appeal: barred.appeal,
    account: createAccountPages({ ...shared, mailSent, barred, onFault }),
    host,
    limits: deps.limits,
    refuseBarred: createBarredNetworks({ read: deps.readBarred, now: deps.clock.now, log }).refuse,
    trustedProxies: config.trustedProxies,
    log,
    onFault,
  })
}
