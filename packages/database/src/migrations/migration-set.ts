import type { Kysely } from 'kysely'
import type { Baseline } from './baseline.ts'

// biome-ignore lint/suspicious/noExplicitAny: a step sees tables of its time, which no type describes
type Change = { up(db: Kysely<any>): Promise<void> }

/**
 * Adds to a schema before the code that needs it runs. Code of the version before goes on beside it and after a rollback, so nothing it
 * reads or writes may go, change its meaning, or be asked of it.
 */
type ExpandStep = Change & {
  readonly phase: 'expand'
  /** Each statement by itself, for what Postgres does only so (indexes made concurrently) and for long work in pieces; may be run again. */
  readonly isTransactional?: false
}

/** Takes from a schema what no code that runs needs any more. */
export type ContractStep = Change & {
  readonly phase: 'contract'
  /** The expand step since which code does without: code that knows that step may run before and after this one. */
  readonly after: string
  readonly isTransactional?: false
}

/** A change of a schema. Each says its phase: neither is meant when no one says so. */
export type MigrationStep = ExpandStep | ContractStep

/** A service's steps from nothing to its schema, by name in order. A merged step never changes. */
export type MigrationSet = {
  /** Names the table that records which steps ran; one schema can hold several sets. */
  readonly name: string
  /** Where a new schema begins; without one, at nothing. */
  readonly baseline?: Baseline
  readonly steps: Readonly<Record<string, MigrationStep>>
}
