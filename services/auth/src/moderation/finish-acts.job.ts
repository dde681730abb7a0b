import type { AccountView, ModerationDefinition } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Call, Client } from '@rookery/rpc'
import { ownCall } from '../calls.ts'
import type { AuthTables } from '../database/schema.ts'
import { SERVICE } from '../service.ts'
import { ActReader, ActWriter } from './act.store.ts'

const FINISH_ACTS = 'finish-acts'

export type FinishDeps = { database: Database<AuthTables>; statuses: { moderation: Client<ModerationDefinition> } }

/** Adds a job that finishes the acts on an account, where the one who acted does not. */
export const requestFinish = (tx: Tx<AuthTables>, accountId: string): Promise<void> =>
  addJob(tx, SERVICE, FINISH_ACTS, { accountId }, { key: `${FINISH_ACTS}:${accountId}` })

/** Someone who is gone needs nothing more. */
const orGone = (error: unknown) => {
  if (error instanceof Failure && error.kind === 'not_found') return undefined
  throw error
}

/**
 * Has statuses apply the acts on an account, in their order; statuses knows each by its id, so concurrent runs do no harm. Returns the
 * account after the last one.
 */
export const finishActs = async ({ database, statuses }: FinishDeps, call: Call, accountId: string): Promise<AccountView | undefined> => {
  let view: AccountView | undefined
  for (const { actId, request } of await new ActReader(database.db).unfinished(accountId)) {
    view = await statuses.moderation.applyAct(call, request).catch(orGone)
    await transact(database.db, (tx) => new ActWriter(tx).finish(actId))
  }
  return view
}

/** Finishes acts on an account whose process did not come to the end. */
export const finishActsJob = (deps: FinishDeps): Job =>
  job<{ accountId: string }>({
    name: FINISH_ACTS,
    run: async ({ accountId }) => {
      await finishActs(deps, ownCall(10), accountId)
    },
  })
