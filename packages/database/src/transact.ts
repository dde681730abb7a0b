import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, Transaction } from 'kysely'

/** A transaction under way. Only `transact` makes one, so a writer that takes a Tx cannot be used outside. */
export type Tx<Tables> = Transaction<Tables>

type Running = { readonly pool: object | undefined; readonly outer: Running | undefined }
const running = new AsyncLocalStorage<Running>()
const pools = new WeakMap<object, object>()
type AfterCommit = () => unknown
const callbacks = new WeakMap<object, AfterCommit[]>()

/** Says which pool a Db draws from; openDatabase does. */
export const tiePool = (db: object, pool: object): void => {
  pools.set(db, pool)
}

/** @throws Error when a transaction of the same pool is under way: a second connection would not see its rows and can deadlock with it. */
export const refuseInsideTransaction = (pool: object): void => {
  for (let level = running.getStore(); level; level = level.outer) {
    if (level.pool === pool) throw new Error('The pool was used inside a transaction; use its Tx.')
  }
}

/** Times a transaction is run again when Postgres ended it to undo a deadlock: nothing of it was kept. */
const MAX_DEADLOCKS = 3

/** Whether Postgres ended a statement so that another could go on. */
export const isDeadlock = (error: unknown): boolean => (error as { code?: string })?.code === '40P01'

/**
 * Runs work in one transaction: all of it is kept, or nothing. Callbacks given to afterCommit run once it is kept, one after the other. After a
 * deadlock the work runs again, so it must do nothing but use its Tx.
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
 * Has the callback run when the transaction was committed; never when it was rolled back. A caller that waits for the transaction waits for the
 * promise it gives too. It must neither throw nor reject.
 */
export const afterCommit = (tx: object, callback: AfterCommit): void => {
  const list = callbacks.get(tx)
  if (!list) throw new Error('afterCommit needs a transaction made by transact')
  list.push(callback)
}
