import type { Guarded } from './certificates.ts'
import { readStoreConfig } from './config.ts'

/** The server of a store that belongs to this process. It can be killed and restarted at the same address, with its data. */
export type TestStore = {
  /** host:port for clients. */
  readonly address: string
  /** Ends it with SIGKILL, like a crash. */
  kill(): Promise<void>
  /** Restarts it after a kill; resolves when it is ready. */
  start(): Promise<void>
  /** Stops it and deletes its data, unless its folder was given. */
  stop(): Promise<void>
}

export type StoreOptions = {
  /** A free port by default. */
  port?: number
  /** For Kafka: the advertised port; its own by default. */
  advertisedPort?: number
  /** The folder for its data; a temporary one by default. */
  dir?: string
  /** Called when it exited unexpectedly. */
  onEnd?: () => void
  /** Accepts connections over TLS and with the password only; with programs of this machine only. */
  guarded?: Guarded
}

/** How a store can be started: with programs of this machine, with Docker, or not, and why. */
export type Source = 'programs' | 'docker' | { missing: string }

/**
 * Why a store is not available on this machine, for tests that are skipped then; undefined if it is.
 * @throws Error with that reason when REQUIRE_STORES is 1
 */
export const reasonOf = (source: Source): string | undefined => {
  if (typeof source === 'string') return undefined
  if (readStoreConfig().mustHaveStores) throw new Error(`${source.missing} (REQUIRE_STORES is 1)`)
  return source.missing
}
