import type { AccountView, ModerationDefinition } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Call, Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { AuthTables } from '../database/schema.ts'
import { SERVICE } from '../service.ts'
import { ActReader, ActWriter } from './act.store.ts'

const FINISH_ACTS = 'finish-acts'

export type FinishDeps = { database: Database<AuthTables>; statuses: { moderation: Client<ModerationDefinition> } }

/** Adds the job that applies the unfinished acts on an account, with the transaction. */
export const requestFinish = (tx: Tx<AuthTables>, accountId: string): Promise<void> =>
  addJob(tx, SERVICE, FINISH_ACTS, { accountId }, { key: `${FINISH_ACTS}:${accountId}` })

/** For a deleted account there is nothing to apply. */
const orGone = (error: unknown) => {
  if (error instanceof Failure && error.kind === 'not_found') return undefined
  throw error
}

/**
 * Applies the unfinished acts on an account in statuses, in order. Statuses deduplicates them by id, so concurrent runs are harmless.
 * Returns the account after the last act.
 */
export const finishActs = async ({ database, statuses }: FinishDeps, call: Call, accountId: string): Promise<AccountView | undefined> => {
  let view: AccountView | undefined
  for (const { actId, request } of await new ActReader(database.db).unfinished(accountId)) {
    view = await statuses.moderation.applyAct(call, request).catch(orGone)
    await transact(database.db, (tx) => new ActWriter(tx).finish(actId))
  }
  return view
}

/** Finishes acts on an account that were interrupted. */
export const finishActsJob = (deps: FinishDeps): Job =>
  job<{ accountId: string }>({
    name: FINISH_ACTS,
    run: async ({ accountId }) => {
      await finishActs(deps, callWithin(10), accountId)
    },
  })
