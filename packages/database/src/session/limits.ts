import { AsyncLocalStorage } from 'node:async_hooks'

/** How long a session waits for Postgres, in milliseconds. docs/decisions/0017-deadlines.md says which limit is below which. */
export type SessionLimits = {
  /** For a connection: a new one, or a free one of a pool. */
  readonly connect: number
  /** Without a byte of an answer, before the server is asked whether it still works on the statement. */
  readonly silence: number
  /** For the answer to a statement, unless `withStatementLimit` says otherwise. */
  readonly statement: number
}

export const SESSION_LIMITS: SessionLimits = { connect: 4000, silence: 2000, statement: 10_000 }

/** For statements of consumers, jobs and operators, in milliseconds: no one waits for them with a deadline. */
export const LONG_STATEMENT = 300_000

const limits = new AsyncLocalStorage<number>()

/**
 * Runs work whose statements may each take so many milliseconds (Infinity: as long as the server works on them), regardless of the limit of their
 * session.
 */
export const withStatementLimit = <Result>(milliseconds: number, work: () => Result): Result => limits.run(milliseconds, work)

/** The limit of the work under way, in milliseconds, where `withStatementLimit` set one. */
export const statementLimit = (): number | undefined => limits.getStore()
