import type { IncomingMessage, RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import type { MigrationSet } from '@rookery/database'
import type { Consumer } from '@rookery/events'
import type { Job } from '@rookery/jobs'
import type { Handler } from '@rookery/rpc'
import type { Checks } from './health.ts'
import type { Metric } from './metrics/index.ts'

/** A service, independent of any transport. */
export type ServiceModule = {
  /** Calls for other services. */
  readonly rpc: readonly Handler[]
  /** Calls for the operator's command, over a local socket. */
  readonly operator?: readonly Handler[]
  /** Pages and files served to the public directly. */
  readonly http?: RequestListener
  /** Handles WebSocket upgrades. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown
  /** Readiness checks by part. */
  readonly checks?: Checks
  /** The module's metrics. */
  readonly metrics?: readonly Metric[]
  /** Consumers of events. */
  // biome-ignore lint/suspicious/noExplicitAny: each service's consumers know their own tables
  readonly consumers: readonly Consumer<any>[]
  /** Background jobs. */
  readonly jobs: readonly Job[]
  /** The public URL of the server, from the module that serves it. */
  readonly baseUrl?: string
  /** Notes for the operator, logged at the start, a sentence each. */
  readonly notes?: readonly string[]
  /** Warnings for the operator that do not stop the process, a sentence each; computed when the operator asks. */
  readonly warnings?: () => Promise<readonly string[]>
  /** How many jobs run concurrently per process: 2 by default. */
  readonly jobsAtOnce?: number
  /** How long `close` may take, if longer than moments, in milliseconds. */
  readonly closeMilliseconds?: number
  /** Releases the module's resources: sockets, timers. */
  close?(): Promise<void>
}

/** A service's schema: its name and its migrations. */
export type ServiceSchema = { readonly name: string; readonly migrations: MigrationSet }

/** The cost of hashing a password with argon2id: memory in KiB, passes, parallelism. */
export type PasswordCost = { readonly memory: number; readonly passes: number; readonly parallelism: number }
