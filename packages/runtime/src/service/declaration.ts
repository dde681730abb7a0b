import type { Database } from '@rookery/database'
import type { Ephemeral } from '@rookery/ephemeral'
import type { EventTables, Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import type { Client, Definition } from '@rookery/rpc'
import type { MayConnect, Resolve } from '@rookery/ssrf-safe-fetch'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { PasswordCost, ServiceModule, ServiceSchema } from '../module.ts'

type Environment = Record<string, string | undefined>

/** Additional dependencies of a service with a database. */
export type Stored<Tables> = { readonly database: Database<Tables>; readonly outbox: Outbox }

/** The dependencies that a process provides to its module. */
export type ServiceDeps<Config> = Pick<Ephemeral, 'live' | 'presence' | 'rates' | 'invalidations'> & {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  /** The folder for files. */
  readonly dataDir: string
  /** Which external addresses may be connected to; by default those of the public internet. */
  readonly mayConnect?: MayConnect
  /** The recommended cost by default. */
  readonly passwordCost?: PasswordCost
  /** Resolves names of other servers; by default with DNS. */
  readonly resolve?: Resolve
  /** A client of another service, one of those declared in `calls`. */
  client<D extends Definition>(service: string, definition: D): Client<D>
}

/** The dependencies of `admit`; `isStaying` is false in a process that only migrates. */
type Admission<Config, Tables> = Pick<ServiceDeps<Config>, 'config' | 'log'> & {
  readonly database: Database<Tables>
  readonly isStaying: boolean
}

/** Names of consumers and jobs, by part. */
export type Parts = Readonly<Record<string, readonly string[]>>

/** The declaration of a service: its dependencies, and how to create its module. */
export type ServiceDeclaration<Config, Tables extends EventTables> = {
  readonly name: string
  readonly schema: ServiceSchema
  /** Maximum connections to Postgres when all services share a process and its database server. */
  readonly connections: number
  /** The services it calls. */
  readonly calls: readonly string[]
  /**
   * The consumers and jobs of each part of the background work that may run as a process of its own, to scale separately. The remaining
   * ones, and the relay, run as `rest`.
   */
  readonly parts?: Parts
  /** False if it keeps no rates, presence or live messages. */
  readonly needsRedis?: false
  readConfig(environment: Environment): Config
  /** Checks the stored data before the service starts. @throws ConfigurationError if the settings do not match it */
  admit?(deps: Admission<Config, Tables>): Promise<void>
  create(deps: ServiceDeps<Config> & Stored<Tables>): ServiceModule
}

/** A service without a database. */
export type StatelessDeclaration<Config> = Omit<ServiceDeclaration<Config, never>, 'schema' | 'connections' | 'admit' | 'create'> & {
  readonly schema?: undefined
  create(deps: ServiceDeps<Config>): ServiceModule
}

/** A service with or without a database. */
// biome-ignore lint/suspicious/noExplicitAny: each service knows its own configuration and tables
export type AnyDeclaration = ServiceDeclaration<any, any> | StatelessDeclaration<any>
