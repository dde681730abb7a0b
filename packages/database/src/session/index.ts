export { LONG_STATEMENT, type SessionLimits, statementLimit, withStatementLimit } from './limits.ts'
export { openMinConnections, openPool, type PoolOptions } from './pool.ts'
export { refusedWrites } from './refusals.ts'
export { openSession, type Session } from './session.ts'
