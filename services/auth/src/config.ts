import type { Inviters } from '@rookery/contracts/permissions'
import {
  choice,
  isLoopback,
  keys,
  type LimitConfig,
  limitConfig,
  limitSettings,
  list,
  optional,
  origin,
  readEnvironment,
  type Secret,
  secret,
  text,
  url,
} from '@rookery/runtime'

/** The configuration of auth. Only this file reads the environment. */
export type AuthConfig = LimitConfig & {
  /** The public origin of the server. */
  readonly baseUrl: string
  readonly registrations: 'open' | 'approval' | 'closed'
  readonly confirmation: 'mail' | 'automatic'
  /** Who may create invitations. */
  readonly inviters: Inviters
  readonly smtpUrl: Secret | undefined
  readonly mailFrom: string
  readonly blockedEmailDomains: readonly string[]
  /** Signing keys of cookies and forms, newest first; if empty, the keys stored in the database are used. */
  readonly cookieKeys: readonly Secret[]
  /** Encryption keys of the secrets of second factors, newest first; if empty, a secret stored in the database is used. */
  readonly encryptionKeys: readonly Secret[]
  /** Who must have a second factor. */
  readonly requireSecondFactor: 'none' | 'staff' | 'all'
}

/** The settings of this service. */
export const settings = {
  BASE_URL: origin({ describe: 'Public base URL of the server.', default: 'http://localhost:3000' }),
  REGISTRATIONS: optional(
    choice(['open', 'approval', 'closed'], {
      describe:
        'Who may sign up: open to everyone, after approval by a moderator, or closed. Open on a loopback BASE_URL; must be set on any other.',
    }),
  ),
  CONFIRMATION: optional(
    choice(['mail', 'automatic'], {
      describe: 'How e-mail addresses are confirmed. Automatic on a loopback BASE_URL; must be set on any other.',
    }),
  ),
  INVITES: choice(['everyone', 'staff', 'off'], {
    describe: 'Who may invite people: everyone with an account, staff, or no one. Invited people may sign up whatever REGISTRATIONS says.',
    default: 'everyone',
  }),
  SMTP_URL: optional(
    secret(url({ describe: 'SMTP server: smtp://user:password@host:port. Required when addresses are confirmed by mail.' })),
  ),
  MAIL_FROM: optional(text({ describe: 'Sender address of mail; no-reply at the host of BASE_URL when not set.' })),
  BLOCKED_EMAIL_DOMAINS: optional(list({ describe: 'Blocked e-mail domains at sign-up, including subdomains.' })),
  COOKIE_KEY: optional(
    keys({
      describe:
        'Signing key of cookies and forms, the same for all processes; generated and stored in the database when not set. To rotate it: OLD,NEW everywhere, then NEW,OLD, then NEW.',
    }),
  ),
  ENCRYPTION_KEY: optional(
    keys({
      describe:
        'Encryption key for the secrets of second factors in the database, so that a copy of the database does not reveal them; generated and stored in the database itself when not set. To rotate it: NEW,OLD.',
    }),
  ),
  REQUIRE_SECOND_FACTOR: choice(['none', 'staff', 'all'], {
    describe: 'Who must turn on a second factor before they authorize apps or use the staff pages: no one, staff, or everyone.',
    default: 'none',
  }),
  ...limitSettings,
}

/** Faults of settings that depend on each other. */
const faultsBetween = (values: {
  BASE_URL?: string
  REGISTRATIONS?: string | undefined
  CONFIRMATION?: string | undefined
  SMTP_URL?: Secret | undefined
}) => {
  const isPublic = values.BASE_URL !== undefined && !isLoopback(values.BASE_URL)
  return [
    isPublic && !values.REGISTRATIONS && `REGISTRATIONS is missing: ${settings.REGISTRATIONS.describe}`,
    isPublic && !values.CONFIRMATION && `CONFIRMATION is missing: ${settings.CONFIRMATION.describe}`,
    values.CONFIRMATION === 'mail' && !values.SMTP_URL && `SMTP_URL is missing: ${settings.SMTP_URL.describe}`,
  ].filter((fault) => fault !== false)
}

/** Reads the configuration. @throws ConfigurationError */
export const readAuthConfig = (environment: Record<string, string | undefined>): AuthConfig => {
  const values = readEnvironment(settings, environment, faultsBetween)
  return {
    baseUrl: values.BASE_URL,
    registrations: values.REGISTRATIONS ?? 'open',
    confirmation: values.CONFIRMATION ?? 'automatic',
    inviters: values.INVITES,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? `no-reply@${new URL(values.BASE_URL).hostname}`,
    blockedEmailDomains: values.BLOCKED_EMAIL_DOMAINS ?? [],
    cookieKeys: values.COOKIE_KEY ?? [],
    encryptionKeys: values.ENCRYPTION_KEY ?? [],
    requireSecondFactor: values.REQUIRE_SECOND_FACTOR,
    ...limitConfig(values),
  }
}
