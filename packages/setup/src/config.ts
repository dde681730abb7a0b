import { list, optional, port, readEnvironment, Secret, secret, text } from '@rookery/runtime'

/** The configuration of the database setup. */
export type SetupConfig = {
  administratorUrl: Secret
  roles: readonly { name: string; password: Secret }[]
}

export const settings = {
  ADMINISTRATOR_DATABASE_URL: secret(
    text({ describe: 'The database, as a role that may create roles, schemas and the extensions pg_trgm and btree_gin.' }),
  ),
  ADMINISTRATOR_DATABASE_PARAMETERS: optional(
    text({ describe: 'What is added to that url where it does not say so itself, as sslmode=verify-full&sslrootcert=FILE.' }),
  ),
  SERVICES: list({ describe: 'The services that get a role and a schema each.' }),
}

const passwordSetting = (service: string) => secret(text({ describe: `The password of the role ${service}.` }))
const nameOf = (service: string) => `${service.toUpperCase()}_DATABASE_PASSWORD`

/** Adds parameters, such as those of TLS, which database URLs often lack. */
const withParameters = (url: Secret, parameters = ''): Secret => {
  if (!URL.canParse(url.reveal())) return url
  const whole = new URL(url.reveal())
  for (const [name, value] of new URLSearchParams(parameters)) if (!whole.searchParams.has(name)) whole.searchParams.set(name, value)
  return new Secret(whole.href)
}

/**
 * Reads the configuration of the database setup: for each service in SERVICES the password NAME_DATABASE_PASSWORD. @throws
 * ConfigurationError
 */
export const readSetupConfig = (environment: Record<string, string | undefined>): SetupConfig => {
  const { ADMINISTRATOR_DATABASE_URL: url, ADMINISTRATOR_DATABASE_PARAMETERS: parameters, ...rest } = readEnvironment(settings, environment)
  const services = rest.SERVICES
  const passwords = readEnvironment(Object.fromEntries(services.map((service) => [nameOf(service), passwordSetting(service)])), environment)
  return {
    administratorUrl: withParameters(url, parameters),
    roles: services.map((name) => ({ name, password: passwords[nameOf(name)]! })),
  }
}

/** The configuration of the created Kubernetes secrets. */
export type SecretsConfig = {
  host: string
  port: number
  /** The folder with token, ca.crt and namespace of a service account that may create secrets. */
  folder: string
  /** The keys of each secret, by its name. */
  secrets: ReadonlyMap<string, readonly string[]>
  labels: Readonly<Record<string, string>>
}

const secretsSettings = {
  KUBERNETES_SERVICE_HOST: text({ describe: 'The API server, as Kubernetes tells every pod.' }),
  KUBERNETES_SERVICE_PORT: port({ describe: 'Its port.', default: '443' }),
  SERVICE_ACCOUNT: text({
    describe: 'The folder with the token of a service account that may create secrets.',
    default: '/var/run/secrets/kubernetes.io/serviceaccount',
  }),
  MAKE: list({ describe: 'What is made, as NAME/KEY.' }),
  LABELS: list({ describe: 'Labels of the secrets, as NAME=VALUE.', default: '' }),
}

/** Reads which secrets to create. @throws ConfigurationError */
export const readSecretsConfig = (environment: Record<string, string | undefined>): SecretsConfig => {
  const values = readEnvironment(secretsSettings, environment)
  const pairs = values.MAKE.map((each) => each.split('/') as [string, string])
  return {
    host: values.KUBERNETES_SERVICE_HOST,
    port: values.KUBERNETES_SERVICE_PORT,
    folder: values.SERVICE_ACCOUNT,
    secrets: new Map([...Map.groupBy(pairs, ([name]) => name)].map(([name, all]) => [name, all.map(([, key]) => key)])),
    labels: Object.fromEntries(values.LABELS.map((each) => each.split('=') as [string, string])),
  }
}

/** The environment of this process. */
export const ownEnvironment = (): Record<string, string | undefined> => process.env
