import type { Page, Tx } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { LoggedAct } from '../log-act.ts'
import { ActReader, ActWriter } from './act.store.ts'
import { actOnAccount, changeRole, endAccount, recordAct } from './act-on-account.ts'
import { actOnRemoteAccount } from './act-on-remote-account.ts'
import { AppealReader } from './appeal.store.ts'
import { appealAct, readStrike } from './appeal-act.ts'
import { decideAppeal } from './decide-appeal.ts'
import { finishActsJob } from './finish-acts.job.ts'
import { logActs } from './log-acts.consumer.ts'
import { StaffLoginReader } from './staff-login.store.ts'

export { type ActName, type EndName, isActName, isOnStatuses, warningOf } from './act.rules.ts'
export { appealableUntil, isOpenToAppeal, MAX_APPEAL } from './appeal.rules.ts'
export type { Strike } from './appeal.store.ts'
export { listActs } from './list-acts.ts'
export { createStaffEmails } from './staff-emails/index.ts'
export { strikePath } from './strike-path.ts'

/** Adds an act of staff to the log, if its subject is not an account: an app, a block, an invitation. */
export const logAct =
  ({ clock }: { clock: Clock }) =>
  async (tx: Tx<AuthTables>, { staffId, action, target, accountId }: LoggedAct): Promise<void> => {
    const createdAt = new Date(clock.now())
    await new ActWriter(tx).add({
      actorId: staffId || null,
      action,
      accountId: accountId ?? null,
      target,
      text: '',
      reportId: null,
      createdAt,
    })
  }

/** Acts of staff and operators on accounts, their log, and appeals. */
export const createAccountActs = (deps: Parameters<typeof decideAppeal>[0] & Parameters<typeof actOnRemoteAccount>[0]) => ({
  act: actOnAccount(deps),
  changeRole: changeRole(deps),
  end: endAccount(deps),
  record: recordAct(deps),
  /** An account's strikes, latest first; a strike by its id; and appealing one. */
  strikes: {
    of: (accountId: string) => new AppealReader(deps.database.db).strikesOf(accountId),
    read: readStrike(deps),
    appeal: appealAct(deps),
  },
  decideAppeal: decideAppeal(deps),
  /** The number of accounts that wait for approval. */
  countPending: () => new StaffLoginReader(deps.database.db).countPending(),
  /** Whether there are acts on an account that statuses has not applied yet. */
  areUnfinished: async (accountId: string) => (await new ActReader(deps.database.db).unfinished(accountId)).length > 0,
  /** Acts on remote accounts. */
  remote: actOnRemoteAccount(deps),
  /** A page of the log, latest first. */
  log: (page: Page) => new ActReader(deps.database.db).page(page),
  jobs: [finishActsJob(deps)],
  consumers: logActs(),
})

export type AccountActs = ReturnType<typeof createAccountActs>
