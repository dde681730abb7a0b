import type { IncomingMessage, RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import type { MigrationSet } from '@rookery/database'
import type { Consumer } from '@rookery/events'
import type { Job } from '@rookery/jobs'
import type { Handler } from '@rookery/rpc'
import type { Checks } from './health.ts'
import type { Metric } from './metrics/index.ts'

/** What a service is, before anyone chose a transport for it. */
export type ServiceModule = {
  /** Calls other services make. */
  readonly rpc: readonly Handler[]
  /** Calls the operator's command makes, over a socket of the machine itself. */
  readonly operator?: readonly Handler[]
  /** Pages and files the public reaches directly. */
  readonly http?: RequestListener
  /** What answers when the public asks for a WebSocket. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown
  /** What the module needs to be useful and does not have, by part; empty when it is ready. */
  readonly checks?: Checks
  /** What the module counts, for the metrics of its process. */
  readonly metrics?: readonly Metric[]
  /** Reactions to events. */
  // biome-ignore lint/suspicious/noExplicitAny: each service's consumers know their own tables
  readonly consumers: readonly Consumer<any>[]
  /** Due work. */
  readonly jobs: readonly Job[]
  /** Where the public finds the server, of the module that serves it. */
  readonly baseUrl?: string
  /** What the operator should read at the start, a sentence each. */
  readonly notes?: readonly string[]
  /** What an operator should mend though the process works on without it, a sentence each: asked when the operator asks. */
  readonly warnings?: () => Promise<readonly string[]>
  /** How many of them run at once in a process: 2 unless said. */
  readonly jobsAtOnce?: number
  /** How long `close` may take, where that is more than moments, in milliseconds. */
  readonly closeMilliseconds?: number
  /** Lets go of what the module holds open: sockets, timers. */
  close?(): Promise<void>
}

/** What a service keeps, and what its schema is made of. */
export type ServiceSchema = { readonly name: string; readonly migrations: MigrationSet }

/** What hashing a password costs with argon2id: memory in KiB, passes over it, lanes. */
export type PasswordCost = { readonly memory: number; readonly passes: number; readonly parallelism: number }
