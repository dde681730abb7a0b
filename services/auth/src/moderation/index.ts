import type { Page, Tx } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { ActReader, ActWriter } from './act.store.ts'
import { actOnAccount, changeRole, endAccount, recordAct } from './act-on-account.ts'
import { actOnRemoteAccount } from './act-on-remote-account.ts'
import { finishActsJob } from './finish-acts.job.ts'
import { logActs } from './log-acts.consumer.ts'
import { StaffLoginReader } from './staff-login.store.ts'

export { type ActName, type EndName, isActName, isOnStatuses } from './act.rules.ts'
export { listActs } from './list-acts.ts'

/** Adds to the log what staff did to something that is no account. */
export const logAct =
  ({ clock }: { clock: Clock }) =>
  async (tx: Tx<AuthTables>, { staffId, action, target }: { staffId: string; action: string; target: string }): Promise<void> => {
    const createdAt = new Date(clock.now())
    await new ActWriter(tx).add({ actorId: staffId || null, action, accountId: null, target, text: '', reportId: null, createdAt })
  }

/** What staff and operators may do to accounts. */
export const createAccountActs = (deps: Parameters<typeof actOnAccount>[0] & Parameters<typeof actOnRemoteAccount>[0]) => ({
  act: actOnAccount(deps),
  changeRole: changeRole(deps),
  end: endAccount(deps),
  record: recordAct(deps),
  /** How many people wait for approval. */
  countPending: () => new StaffLoginReader(deps.database.db).countPending(),
  /** The same for people of other servers. */
  remote: actOnRemoteAccount(deps),
  /** What staff and operators did, latest first. */
  log: (page: Page) => new ActReader(deps.database.db).page(page),
  jobs: [finishActsJob(deps)],
  consumers: logActs(),
})

export type AccountActs = ReturnType<typeof createAccountActs>
