export type { Remembered } from '@rookery/batching'
export { awaitDatabase } from './await-database.ts'
export { type CountedRow, countedByDay, MAX_COUNTED, measuredRows } from './counted-by-day.ts'
export { type Database, type Db, openDatabase, PLANNING } from './database.ts'
export { deleteInPieces } from './delete-in-pieces.ts'
export { escapeLike } from './escape-like.ts'
export { fillPage, fillRecords, MAX_READS, nextPart } from './fill-page.ts'
export { inOrder } from './in-order.ts'
export {
  baselineIn,
  type ContractStep,
  changeInPieces,
  createIndexConcurrently,
  idsWithoutSpread,
  knownSteps,
  type MigrationPhase,
  MigrationRefused,
  type MigrationSet,
  type MigrationStep,
  migrate,
  registerCode,
  spreadOfIds,
  withMigrationLock,
} from './migrations/index.ts'
export { applyPage, type Bounds, cursorsOf, inBothOrders, keyset, MAX_ID, type Order, type Page, pageWithin, rowsWithin } from './page.ts'
export { type Buildable, builderOf, type NamedStatement, namedStatements, type Prepared, prepared, type Source } from './prepared.ts'
export { orAll, type PreparedPage, preparedPage } from './prepared-page.ts'
export { prepareDatabase, roleOf } from './roles.ts'
export {
  LONG_STATEMENT,
  openPool,
  openSession,
  type PoolOptions,
  type Session,
  type SessionLimits,
  withStatementLimit,
} from './session/index.ts'
export { sharedQuery } from './shared-query.ts'
export { anyOf, arrayLiteral, firstRows, hasAny, hasRow, isForeignKeyViolation, isUniqueViolation, onceFound } from './sql.ts'
export { afterCommit, type Tx, transact } from './transact.ts'
export { completedStep, completeStep, createCompletedSteps, forgetSteps, type Step, transactOnce } from './transact-once.ts'
export { untilWritten, type Writes } from './writes.ts'
