import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, Transaction } from 'kysely'

/** A transaction. Only `transact` creates one, so a writer that takes a Tx cannot be used outside. */
export type Tx<Tables> = Transaction<Tables>

type Running = { readonly pool: object | undefined; readonly outer: Running | undefined }
const running = new AsyncLocalStorage<Running>()
const pools = new WeakMap<object, object>()
type AfterCommit = () => unknown
const callbacks = new WeakMap<object, AfterCommit[]>()

/** Sets the pool that a Db draws from; openDatabase does. */
export const registerPool = (db: object, pool: object): void => {
  pools.set(db, pool)
}

/** @throws Error inside a transaction of the same pool: a second connection would not see its rows and can deadlock with it. */
export const refuseInsideTransaction = (pool: object): void => {
  for (let level = running.getStore(); level; level = level.outer) {
    if (level.pool === pool) throw new Error('The pool was used inside a transaction; use its Tx.')
  }
}

/** Maximum retries of a transaction after deadlocks, which roll it back entirely. */
const MAX_DEADLOCKS = 3

/** Whether Postgres aborted a statement to resolve a deadlock. */
export const isDeadlock = (error: unknown): boolean => (error as { code?: string })?.code === '40P01'

/**
 * Runs work in one transaction, which commits entirely or not at all. Callbacks of afterCommit run after the commit, one after the other.
 * After a deadlock the work runs again, so it must do nothing but use its Tx.
 */
export const transact = async <Tables, Result>(db: Kysely<Tables>, work: (tx: Tx<Tables>) => Promise<Result>): Promise<Result> => {
  const pool = pools.get(db)
  if (pool) refuseInsideTransaction(pool)
  const level: Running = { pool, outer: running.getStore() }
  for (let attempt = 1; ; attempt++) {
    const after: AfterCommit[] = []
    let result: Result
    try {
      result = await db.transaction().execute((tx) => {
        callbacks.set(tx, after)
        return running.run(level, () => work(tx))
      })
    } catch (error) {
      if (!isDeadlock(error) || attempt > MAX_DEADLOCKS) throw error
      continue
    }
    for (const callback of after) await callback()
    return result
  }
}

/**
 * Registers a callback to run after the commit; it never runs after a rollback. Callers of the transaction wait for its promise too. It
 * must neither throw nor reject.
 */
export const afterCommit = (tx: object, callback: AfterCommit): void => {
  const list = callbacks.get(tx)
  if (!list) throw new Error('afterCommit needs a transaction made by transact')
  list.push(callback)
}
