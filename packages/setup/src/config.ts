import { list, readEnvironment, type Secret, secret, text } from '@rookery/runtime'

/** What the database is prepared with. */
export type SetupConfig = {
  administratorUrl: Secret
  roles: readonly { name: string; password: Secret }[]
}

export const settings = {
  ADMINISTRATOR_DATABASE_URL: secret(
    text({ describe: 'The database, as a role that may create roles, schemas and the extension pg_trgm.' }),
  ),
  SERVICES: list({ describe: 'The services that get a role and a schema each.' }),
}

const passwordSetting = (service: string) => secret(text({ describe: `The password of the role ${service}.` }))
const nameOf = (service: string) => `${service.toUpperCase()}_DATABASE_PASSWORD`

/** Reads what the database is prepared with: of each service in SERVICES the password NAME_DATABASE_PASSWORD. @throws ConfigurationError */
export const readSetupConfig = (environment: Record<string, string | undefined>): SetupConfig => {
  const { ADMINISTRATOR_DATABASE_URL: administratorUrl, SERVICES: services } = readEnvironment(settings, environment)
  const passwords = readEnvironment(Object.fromEntries(services.map((service) => [nameOf(service), passwordSetting(service)])), environment)
  return { administratorUrl, roles: services.map((name) => ({ name, password: passwords[nameOf(name)]! })) }
}

/** The environment of this process. */
export const ownEnvironment = (): Record<string, string | undefined> => process.env
