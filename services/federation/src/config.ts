import {
  choice,
  keys,
  type LimitConfig,
  limitConfig,
  limitSettings,
  listOf,
  optional,
  origin,
  readEnvironment,
  type Secret,
  shaped,
  text,
} from '@rookery/runtime'

/** Federation settings, and the instance's texts as long as none are stored. */
export type FederationConfig = LimitConfig & {
  baseUrl: string
  /** Whether this server federates only with the domains of its allow-list. */
  isAllowlist: boolean
  /** Whether other servers must sign their fetches (authorized fetch). */
  authorizedFetch: boolean
  /** Whether private addresses, http and any port are allowed: for tests. */
  allowsPrivate: boolean
  /** The keys that encrypt private keys in the database, the current one first; when empty, a generated one is stored. */
  encryptionKeys: readonly Secret[]
  title: string
  /** Plain text. */
  description: string
  /** Markdown. */
  extendedDescription: string
  /** As the extended description; empty for the built-in text. */
  privacyPolicy: string
  contactEmail: string
  /** A username of this server; empty for none. */
  contactAccount: string
  color: string
  /** Codes as in ISO 639-1. */
  languages: string[]
  rules: string[]
}

export const settings = {
  BASE_URL: origin({ describe: 'Public base URL of the server.' }),
  FEDERATION_MODE: choice(['open', 'allowlist'], {
    describe: 'Whether the server federates with every other, or only with allowed ones.',
    default: 'open',
  }),
  AUTHORIZED_FETCH: choice(['off', 'on'], {
    describe: 'Whether other servers must sign their requests, and single posts are served only with a user’s token.',
    default: 'off',
  }),
  FEDERATION_ALLOW_PRIVATE: choice(['false', 'true'], {
    describe: 'Whether other servers may be at private addresses, over http and at any port. For tests on one machine only.',
    default: 'false',
  }),
  ENCRYPTION_KEY: optional(
    keys({
      describe:
        'Encryption key for access tokens and keys in the database, so that a copy of the database does not reveal them; generated and stored in the database itself when not set. To rotate it: NEW,OLD.',
    }),
  ),
  ...limitSettings,
  INSTANCE_TITLE: text({ describe: 'The name of the server.', default: 'Rookery' }),
  INSTANCE_DESCRIPTION: text({ describe: 'A sentence about the server.', default: '' }),
  INSTANCE_EXTENDED_DESCRIPTION: text({ describe: 'Long description of the server, as Markdown without HTML and pictures.', default: '' }),
  INSTANCE_PRIVACY_POLICY: text({
    describe: 'Privacy policy, in place of the one that says what the software stores; Markdown without HTML and pictures.',
    default: '',
  }),
  INSTANCE_CONTACT_EMAIL: shaped(/^(?:[^@\s]+@[^@\s]+)?$/, 'an e-mail address', {
    describe: 'Public contact e-mail address of the operator.',
    default: '',
  }),
  INSTANCE_CONTACT_ACCOUNT: text({
    describe:
      'Username of the operator. Without one some desktop apps (those on megalodon for Rust) fail to read the instance and to open streams.',
    default: '',
  }),
  INSTANCE_COLOR: shaped(/^#[0-9a-f]{6}$/i, 'a color as #rrggbb', {
    describe: 'Color of the server in the web app manifest, as #rrggbb; staff pages change it.',
    default: '#3a4fc4',
  }),
  INSTANCE_LANGUAGES: listOf(/^[a-z]{2,3}(?:-[a-z0-9]+)*$/i, 'codes of languages, as en or pt-BR', {
    describe: 'Main languages of the server, as two-letter codes.',
    default: 'en',
  }),
  INSTANCE_RULES: text({ describe: 'Rules of the server, one per line.', default: '' }),
}

const linesOf = (value: string) =>
  value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)

/** Reads the service's settings from an environment. @throws ConfigurationError */
export const readFederationConfig = (environment: Record<string, string | undefined>): FederationConfig => {
  const values = readEnvironment(settings, environment)
  return {
    baseUrl: values.BASE_URL,
    isAllowlist: values.FEDERATION_MODE === 'allowlist',
    authorizedFetch: values.AUTHORIZED_FETCH === 'on',
    allowsPrivate: values.FEDERATION_ALLOW_PRIVATE === 'true',
    encryptionKeys: values.ENCRYPTION_KEY ?? [],
    ...limitConfig(values),
    title: values.INSTANCE_TITLE,
    description: values.INSTANCE_DESCRIPTION,
    extendedDescription: values.INSTANCE_EXTENDED_DESCRIPTION,
    privacyPolicy: values.INSTANCE_PRIVACY_POLICY,
    contactEmail: values.INSTANCE_CONTACT_EMAIL,
    contactAccount: values.INSTANCE_CONTACT_ACCOUNT.replace(/^@/, ''),
    color: values.INSTANCE_COLOR,
    languages: values.INSTANCE_LANGUAGES,
    rules: linesOf(values.INSTANCE_RULES),
  }
}
