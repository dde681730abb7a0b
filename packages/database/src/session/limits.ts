import { AsyncLocalStorage } from 'node:async_hooks'

/** Timeouts of a session, in milliseconds. docs/decisions/0017-deadlines.md says which is below which. */
export type SessionLimits = {
  /** For a new connection, or a free one of the pool. */
  readonly connect: number
  /** Without received bytes, before checking whether the server still executes the statement. */
  readonly silence: number
  /** For a statement, unless `withStatementLimit` sets another. */
  readonly statement: number
}

export const SESSION_LIMITS: SessionLimits = { connect: 4000, silence: 2000, statement: 10_000 }

/** For statements of consumers, jobs and operators, which have no deadline, in milliseconds. */
export const LONG_STATEMENT = 300_000

const limits = new AsyncLocalStorage<number>()

/**
 * Runs work with another statement timeout, in milliseconds (Infinity: as long as the server executes them), instead of that of the
 * session.
 */
export const withStatementLimit = <Result>(milliseconds: number, work: () => Result): Result => limits.run(milliseconds, work)

/** The current statement timeout of `withStatementLimit`, in milliseconds. */
export const statementLimit = (): number | undefined => limits.getStore()
