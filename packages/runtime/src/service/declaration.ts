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

/** What a service with a database is given besides. */
export type Stored<Tables> = { readonly database: Database<Tables>; readonly outbox: Outbox }

/** What a process has opened for the module it runs. */
export type ServiceDeps<Config> = Pick<Ephemeral, 'live' | 'presence' | 'rates' | 'invalidations'> & {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  /** The folder for files. */
  readonly dataDir: string
  /** Which addresses outside may be connected to; those of the public internet unless given. */
  readonly mayConnect?: MayConnect
  /** As recommended unless given. */
  readonly passwordCost?: PasswordCost
  /** Looks up names of other servers; those of the internet unless a test says otherwise. */
  readonly resolve?: Resolve
  /** A client of another service, one of those declared in `calls`. */
  client<D extends Definition>(service: string, definition: D): Client<D>
}

/** What a service looks at before it starts; `isStaying` is false in a process that only migrates. */
type Admission<Config, Tables> = Pick<ServiceDeps<Config>, 'config' | 'log'> & {
  readonly database: Database<Tables>
  readonly isStaying: boolean
}

/** Names of consumers and jobs, by part. */
export type Parts = Readonly<Record<string, readonly string[]>>

/** A service as a process of its own runs it: what it needs, and how its module is made from it. */
export type ServiceDeclaration<Config, Tables extends EventTables> = {
  readonly name: string
  readonly schema: ServiceSchema
  /** How many connections to Postgres it holds at most where all services share a process and its database server. */
  readonly connections: number
  /** The services it calls. */
  readonly calls: readonly string[]
  /**
   * Consumers and jobs, by the part of the background they are, that a process of its own may run, so that it scales by itself. What is in
   * none is the rest, together with the relay.
   */
  readonly parts?: Parts
  /** Whether it keeps rates, presence or live messages; it does unless this is false. */
  readonly needsRedis?: false
  readConfig(environment: Environment): Config
  /** Looks at what is stored before anything works on it. @throws ConfigurationError where the settings do not suit that */
  admit?(deps: Admission<Config, Tables>): Promise<void>
  create(deps: ServiceDeps<Config> & Stored<Tables>): ServiceModule
}

/** A service without a database. */
export type StatelessDeclaration<Config> = Omit<ServiceDeclaration<Config, never>, 'schema' | 'connections' | 'admit' | 'create'> & {
  readonly schema?: undefined
  create(deps: ServiceDeps<Config>): ServiceModule
}

/** Either, as the processes run it. */
// biome-ignore lint/suspicious/noExplicitAny: each service knows its own configuration and tables
export type AnyDeclaration = ServiceDeclaration<any, any> | StatelessDeclaration<any>
