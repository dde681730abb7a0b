import type { Guarded } from './certificates.ts'
import { readStoreConfig } from './config.ts'

/** A store's server that belongs to this process. It can be killed and started again at the same address, with what it kept. */
export type TestStore = {
  /** Where clients find it: host:port. */
  readonly address: string
  /** Ends it with SIGKILL, as a crash would. */
  kill(): Promise<void>
  /** Starts it again after a kill; resolves when it serves. */
  start(): Promise<void>
  /** Ends it for good and deletes what it kept, unless its folder was given. */
  stop(): Promise<void>
}

export type StoreOptions = {
  /** A free one unless given. */
  port?: number
  /** Of Kafka: the port its clients are sent to, unless its own. */
  advertisedPort?: number
  /** Where it keeps what it keeps; a folder of its own unless given. */
  dir?: string
  /** Called when it exited unexpectedly. */
  onEnd?: () => void
  /** Lets in over TLS only, and only who knows the password; by programs of this machine alone. */
  guarded?: Guarded
}

/** What a store can be started by: programs of this machine, Docker, or nothing and why. */
export type Source = 'programs' | 'docker' | { missing: string }

/**
 * Why a store cannot be had on this machine, for tests that are skipped then; undefined when it can.
 * @throws Error with that reason when REQUIRE_STORES is 1
 */
export const reasonOf = (source: Source): string | undefined => {
  if (typeof source === 'string') return undefined
  if (readStoreConfig().mustHaveStores) throw new Error(`${source.missing} (REQUIRE_STORES is 1)`)
  return source.missing
}
