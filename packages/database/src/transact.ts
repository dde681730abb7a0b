import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, Transaction } from 'kysely'

/** A transaction under way. Only `transact` makes one, so a writer that takes a Tx cannot be used outside. */
export type Tx<Tables> = Transaction<Tables>

type Running = { readonly pool: object | undefined; readonly outer: Running | undefined }
const running = new AsyncLocalStorage<Running>()
const pools = new WeakMap<object, object>()
const callbacks = new WeakMap<object, (() => void)[]>()

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

/** Runs work in one transaction: all of it is kept, or nothing. Callbacks given to afterCommit run once it is kept. */
export const transact = async <Tables, Result>(db: Kysely<Tables>, work: (tx: Tx<Tables>) => Promise<Result>): Promise<Result> => {
  const pool = pools.get(db)
  if (pool) refuseInsideTransaction(pool)
  const level: Running = { pool, outer: running.getStore() }
  let after: (() => void)[] = []
  const result = await db.transaction().execute((tx) => {
    after = []
    callbacks.set(tx, after)
    return running.run(level, () => work(tx))
  })
  for (const callback of after) callback()
  return result
}

/** Has the callback run when the transaction was committed; never when it was rolled back. It must not throw. */
export const afterCommit = (tx: object, callback: () => void): void => {
  const list = callbacks.get(tx)
  if (!list) throw new Error('afterCommit needs a transaction made by transact')
  list.push(callback)
}
