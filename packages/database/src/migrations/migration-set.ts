import type { Kysely } from 'kysely'
import type { Baseline } from './baseline.ts'

// biome-ignore lint/suspicious/noExplicitAny: a step sees tables of its time, which no type describes
type Change = { up(db: Kysely<any>): Promise<void> }

/**
 * Adds to a schema before the code that needs it runs. Code of the previous version runs beside it and after a rollback, so nothing that
 * this code reads or writes may be removed, change its meaning, or become required.
 */
type ExpandStep = Change & {
  readonly phase: 'expand'
  /**
   * False to run each statement by itself, as Postgres requires for concurrent indexes, or for long work in batches; the step must be
   * repeatable.
   */
  readonly isTransactional?: false
}

/** Removes from a schema what no running code needs any more. */
export type ContractStep = Change & {
  readonly phase: 'contract'
  /** The expand step since which code does without: code that knows that step may run before and after this one. */
  readonly after: string
  readonly isTransactional?: false
}

/** A change of a schema. The phase must be explicit. */
export type MigrationStep = ExpandStep | ContractStep

/** A service's steps from an empty schema to the current one, in order of their names. A merged step never changes. */
export type MigrationSet = {
  /** The name of the table that records which steps ran; one schema can hold several sets. */
  readonly name: string
  /** The initial state of a new schema; empty without one. */
  readonly baseline?: Baseline
  readonly steps: Readonly<Record<string, MigrationStep>>
}
