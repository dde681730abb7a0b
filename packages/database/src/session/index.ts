export { LONG_STATEMENT, SESSION_LIMITS, type SessionLimits, statementLimit, withStatementLimit } from './limits.ts'
export { openKept, openPool, type PoolOptions } from './pool.ts'
export { openSession, type Session, type SessionOptions } from './session.ts'
