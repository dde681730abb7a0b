import { Resolver } from 'node:dns/promises'
import { cachePool } from '@rookery/cache'
import { BacklogDefinition } from '@rookery/contracts/events'
import {
  AccountLifeDefinition,
  AccountsDefinition,
  DomainBlocksDefinition,
  GraphDefinition,
  InteractionsDefinition,
  ListsDefinition,
  ModerationDefinition,
  MovesDefinition,
  PortabilityDefinition,
  StaffReportsDefinition,
  StaffStatusesDefinition,
  TimelinesDefinition,
  ViewsDefinition,
} from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { encryption } from '@rookery/encryption'
import { createRenderer } from '@rookery/entities'
import type { Invalidations, LiveChannel, RateCounter } from '@rookery/ephemeral'
import type { Outbox } from '@rookery/events'
import { createRateLimiter } from '@rookery/http/limits'
import type { Ids } from '@rookery/ids'
import type { Client, Definition } from '@rookery/rpc'
import {
  backlogRpc,
  type Clock,
  cacheMetrics,
  isLoopback,
  type Logger,
  type PasswordCost,
  type ServiceModule,
  type ServiceSchema,
} from '@rookery/runtime'
import { createAccountDeletions } from './accounts/deletions/index.ts'
import { createDataExport } from './accounts/exports/index.ts'
import { createImports } from './accounts/imports/index.ts'
import { createInvites } from './accounts/invites/index.ts'
import { createNotificationEmails } from './accounts/notification-emails/index.ts'
import { createRegistrations, type MailResolver } from './accounts/registrations/index.ts'
import { createRegistrationsRpc } from './accounts/registrations/registrations.rpc.ts'
import { createTerms } from './accounts/terms/index.ts'
import { createAddressBlocks } from './address-blocks/index.ts'
import type { AuthConfig } from './config.ts'
import { createConfirmations } from './credentials/confirmations/index.ts'
import { createEmailChanges } from './credentials/email-changes/index.ts'
import { createPasskeys } from './credentials/passkeys/index.ts'
import { createPasswords, type Passwords } from './credentials/passwords/index.ts'
import { createSecondFactors } from './credentials/second-factors/index.ts'
import { authMigrations } from './database/migrations/index.ts'
import type { AuthTables } from './database/schema.ts'
import type { FederationClients } from './federation-clients.ts'
import { forgetExpired } from './forget-expired.job.ts'
import { createIdempotencyRpc } from './idempotency/idempotency.rpc.ts'
import { createIdempotency } from './idempotency/index.ts'
import { createLogins } from './logins/index.ts'
import { noMailer, smtpMailer } from './mail/mailer/index.ts'
import { createSecurityEmails } from './mail/security-emails/index.ts'
import { createLoginMeasures } from './measures/index.ts'
import { memoizeAsync } from './memoize-async.ts'
import { createAccountActs, createStaffEmails, logAct } from './moderation/index.ts'
import { createStaffAccountsRpc } from './moderation/staff-accounts.rpc.ts'
import { createAppsRpc } from './oauth/apps/apps.rpc.ts'
import { createApps } from './oauth/apps/index.ts'
import { createBrowsersRpc } from './oauth/provider/browsers.rpc.ts'
import { createSessions, findSecret, loadKeys, storedSecret } from './oauth/provider/index.ts'
import { createStaffApps } from './oauth/staff-apps/index.ts'
import { createTokens } from './oauth/tokens/index.ts'
import { createTokensRpc } from './oauth/tokens/tokens.rpc.ts'
import { createOperatorRpc } from './operator/operator.rpc.ts'
import { openSignIns, publicSide } from './public-side.ts'
import { SERVICE } from './service.ts'
import { createThrottle } from './throttle.ts'
import { createSeals } from './web/http/index.ts'

export type { MailResolver } from './accounts/registrations/index.ts'
export { type AuthConfig, readAuthConfig, settings } from './config.ts'
export type { AuthTables } from './database/schema.ts'

/** The schema `auth`. */
export const schema: ServiceSchema = { name: SERVICE, migrations: authMigrations }

/** The clients of statuses that auth calls. */
export const statusesClients = (client: <D extends Definition>(definition: D) => Client<D>) => ({
  accounts: client(AccountsDefinition),
  accountLife: client(AccountLifeDefinition),
  dataExport: client(PortabilityDefinition),
  timelines: client(TimelinesDefinition),
  graph: client(GraphDefinition),
  lists: client(ListsDefinition),
  moderation: client(ModerationDefinition),
  staffReports: client(StaffReportsDefinition),
  staffStatuses: client(StaffStatusesDefinition),
  moves: client(MovesDefinition),
  domainBlocks: client(DomainBlocksDefinition),
  interactions: client(InteractionsDefinition),
  views: client(ViewsDefinition),
  backlog: client(BacklogDefinition),
})

export type StatusesClients = ReturnType<typeof statusesClients>

/** The dependencies of auth, from the process that runs it. */
type AuthDeps = {
  database: Database<AuthTables>
  outbox: Outbox
  live: LiveChannel
  rates: RateCounter
  invalidations: Invalidations
  statuses: StatusesClients
  federation: FederationClients
  clock: Clock
  ids: Ids
  log: Logger
  config: AuthConfig
  /** The DNS resolver that checks whether mail can reach an address; by default that of the machine. */
  resolver?: MailResolver
  passwordCost?: PasswordCost
}

const mailerOf = ({ confirmation, smtpUrl, mailFrom }: AuthConfig) => {
  if (smtpUrl) return smtpMailer({ smtpUrl: smtpUrl.reveal(), from: mailFrom })
  if (confirmation === 'mail') throw new Error('SMTP_URL is missing: e-mail addresses are confirmed by mail.')
  return noMailer
}

/** Encrypts with the configured keys, else with a key stored in the database. A key stored before keys were configured still decrypts. */
const encryptionOf = async (database: Database<AuthTables>, { encryptionKeys }: AuthConfig) => {
  const configured = encryptionKeys.map((key) => key.reveal())
  const kept = configured.length > 0 ? await findSecret(database, 'encryption') : await storedSecret(database, 'encryption')
  return encryption([...configured, ...(kept ? [kept] : [])], 'second factor')
}

/** Size of the caches in bytes: a page of an archive with the accounts it names, and the holders of some 5,000 tokens. */
const CACHE_BYTES = 5 * 1024 * 1024

const machinesResolver = () => new Resolver({ timeout: 2000, tries: 2 })

/** The slices that all others use: logins, tokens, sessions, rate limits, mail. */
const createFoundation = (deps: AuthDeps, others: Pick<Parameters<typeof createLogins>[0], 'hasSecondFactor' | 'onJoined'>) => {
  const { database, clock, config } = deps
  const { baseUrl } = config
  const mailer = mailerOf(config)
  const limits = createRateLimiter({ rates: deps.rates, now: clock.now, isOn: config.hasRateLimits })
  const throttle = createThrottle({ limiter: limits, now: clock.now })
  const logins = createLogins({ ...deps, throttle, host: new URL(baseUrl).host, ...others })
  const pool = cachePool({ maxBytes: CACHE_BYTES })
  const tokens = createTokens({ ...deps, logins })
  const sessions = createSessions({ database, clock, logins })
  const keys = memoizeAsync(() => loadKeys(database, config.cookieKeys))
  const seals = createSeals(async () => (await keys()).forms)
  const securityEmails = createSecurityEmails({ mailer, baseUrl })
  return { database, clock, baseUrl, mailer, limits, throttle, logins, pool, tokens, sessions, keys, seals, securityEmails }
}

type Foundation = ReturnType<typeof createFoundation>

/** The slices of credentials: e-mail addresses, passwords, second factors, passkeys. */
const createCredentials = ({ config }: AuthDeps, foundation: Foundation) => {
  const encryption = memoizeAsync(() => encryptionOf(foundation.database, config))
  const secondFactors = createSecondFactors({ ...foundation, required: config.requireSecondFactor, encryption })
  const passkeys = createPasskeys(foundation)
  // Circular: a new password ends pending changes of the address, and these end password resets.
  const forgetResets: Passwords['forgetResets'] = (tx, accountId) => passwords.forgetResets(tx, accountId)
  const emailChanges = createEmailChanges({ ...foundation, forgetResets })
  const passwords = createPasswords({ ...foundation, emailChanges, passkeys })
  return { confirmations: createConfirmations({ ...foundation, forgetResets }), secondFactors, passkeys, emailChanges, passwords }
}

/** The slices of an account's lifecycle, from sign-up to deletion, and of acts of staff on it. */
const createAccounts = (deps: AuthDeps, given: Foundation & ReturnType<typeof createCredentials>) => {
  const { statuses } = deps
  const addressBlocks = createAddressBlocks({ ...deps, ...given, logAct: logAct(given) })
  const resolver = deps.resolver ?? machinesResolver()
  const invites = createInvites({ ...deps, ...given, addressBlocks, logAct: logAct(given) })
  const registrations = createRegistrations({ ...deps, ...given, addressBlocks, invites, resolver, isPublic: !isLoopback(given.baseUrl) })
  const render = createRenderer({ baseUrl: given.baseUrl, pool: given.pool, caches: 'archived' })
  const deletions = createAccountDeletions({ ...given, statuses })
  return {
    addressBlocks,
    invites,
    registrations,
    deletions,
    acts: createAccountActs({ ...given, outbox: deps.outbox, deletions, statuses }),
    dataExport: createDataExport({ statuses, render }),
    imports: createImports({ ...deps, ...given }),
    notificationEmails: createNotificationEmails({ ...deps, ...given }),
    staffEmails: createStaffEmails({ ...deps, ...given }),
  }
}

const createSlices = (deps: AuthDeps) => {
  const foundation = createFoundation(deps, {
    hasSecondFactor: (accountId) => credentials.secondFactors.isOn(accountId),
    onJoined: (tx, accountId) => accounts.invites.requestFollow(tx, accountId),
  })
  const credentials = createCredentials(deps, foundation)
  const accounts = createAccounts(deps, { ...foundation, ...credentials })
  const apps = createApps(deps)
  const staffApps = createStaffApps({ ...foundation, logAct: logAct(foundation) })
  const idempotency = createIdempotency(deps)
  const slices = { ...deps, ...foundation, ...credentials, ...accounts, apps, staffApps, idempotency, terms: createTerms(deps) }
  const measures = createLoginMeasures(slices)
  return { ...slices, ...openSignIns(slices), measures, readBarred: accounts.addressBlocks.readBarred, canSendMail: slices.mailer.canSend }
}

type Slices = ReturnType<typeof createSlices>

const jobsOf = (slices: Slices) => {
  const { logins, acts, staffApps, confirmations, registrations, invites, passwords, emailChanges, deletions, imports, addressBlocks } =
    slices
  const withAccounts = [logins, acts, staffApps, confirmations, registrations, invites, passwords, emailChanges, deletions, imports]
  const { securityEmails, notificationEmails, staffEmails } = slices
  return [
    ...[...withAccounts, addressBlocks, securityEmails, notificationEmails, staffEmails].flatMap(({ jobs }) => jobs),
    forgetExpired(slices),
  ]
}

/** The service auth: logins, apps, tokens and the pages of sign-in. @throws Error if CONFIRMATION=mail and SMTP_URL is missing */
export const createAuth = (deps: AuthDeps): ServiceModule => {
  const slices = createSlices(deps)
  const { database, mailer, acts, addressBlocks, notificationEmails, staffEmails } = slices
  return {
    rpc: [
      createTokensRpc(slices.tokens),
      createBrowsersRpc(slices),
      createAppsRpc(slices.apps),
      createRegistrationsRpc(slices),
      createIdempotencyRpc(slices.idempotency),
      createStaffAccountsRpc(slices),
      ...slices.staffApps.rpc,
      ...addressBlocks.rpc,
      ...slices.invites.rpc,
      slices.measures.rpc,
      backlogRpc({ database, service: SERVICE }, { forStaff: acts.countPending }),
    ],
    // The operator calls the same handlers as staff, without a staff id.
    operator: [createOperatorRpc(slices), ...slices.staffApps.rpc, ...addressBlocks.rpc],
    http: publicSide(slices),
    metrics: cacheMetrics(slices.pool),
    warnings: async () => {
      const fault = await mailer.fault()
      return fault === undefined ? [] : [`The mail server of SMTP_URL takes no mail, so no one gets links to confirm addresses: ${fault}`]
    },
    consumers: [...notificationEmails.consumers, ...staffEmails.consumers, ...acts.consumers, ...slices.terms.consumers],
    close: slices.logins.close,
    jobs: jobsOf(slices),
  }
}
